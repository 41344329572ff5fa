/** The Redis of the benchmarks, and what it says of the commands that it has run. */
@NullMarked
package io.distributionlock.benchmarks.server;

import org.jspecify.annotations.NullMarked;
