/** What the library adds to the start of an application. */
@NullMarked
package io.distributionlock.benchmarks.start;

import org.jspecify.annotations.NullMarked;
