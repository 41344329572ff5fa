/**
 * Invoices under a lock on three independent Redis servers, any one of which may be killed; and the one Redis of all other
 * locks, which may be killed, too.
 */
@NullMarked
package io.distributionlock.playground.masters;

import org.jspecify.annotations.NullMarked;
