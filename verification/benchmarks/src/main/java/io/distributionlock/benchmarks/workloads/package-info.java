/** What is measured: the rounds as the coordinator leads them, and the jobs as the workers do them. */
@NullMarked
package io.distributionlock.benchmarks.workloads;

import org.jspecify.annotations.NullMarked;
