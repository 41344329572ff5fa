/**
 * What happens to locks when processes die or stop, Redis dies or falls silent, and connections break: tests with real servers
 * and real second processes, and the soak that throws all of it together.
 */
@NullMarked
package io.distributionlock.faults;

import org.jspecify.annotations.NullMarked;
