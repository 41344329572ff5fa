/** The contestants: each lock behind one interface, set up as its documentation recommends. */
@NullMarked
package io.distributionlock.benchmarks.contestants;

import org.jspecify.annotations.NullMarked;
