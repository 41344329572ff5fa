/** What was measured: what the workloads write and the report reads. */
@NullMarked
package io.distributionlock.benchmarks.measurement;

import org.jspecify.annotations.NullMarked;
