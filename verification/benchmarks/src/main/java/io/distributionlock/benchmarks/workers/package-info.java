/** Processes that work for the coordinator, and the lines that the two exchange. */
@NullMarked
package io.distributionlock.benchmarks.workers;

import org.jspecify.annotations.NullMarked;
