/**
 * Invoices under a lock that is kept in three independent Redis servers, any one of which may be killed.
 */
@NullMarked
package io.distributionlock.sample.masters;

import org.jspecify.annotations.NullMarked;
