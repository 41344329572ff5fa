/**
 * What no single machine can show: thousands of processes, and networks between them. Events in simulated time, with the engine of
 * the library as it is in production, beside models of other designs.
 */
@NullMarked
package io.distributionlock.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
