/** What costs less than a microsecond or two, and is measured by JMH: re-entry, the names of locks, the advice itself. */
@NullMarked
package io.distributionlock.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
