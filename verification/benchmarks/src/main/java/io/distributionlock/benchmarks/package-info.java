/** Measures the lock beside its peers, in alternating rounds of one run. */
@NullMarked
package io.distributionlock.benchmarks;

import org.jspecify.annotations.NullMarked;
