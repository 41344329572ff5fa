/**
 * A scheduled job that runs once per cluster.
 */
@NullMarked
package io.distributionlock.sample.job;

import org.jspecify.annotations.NullMarked;
