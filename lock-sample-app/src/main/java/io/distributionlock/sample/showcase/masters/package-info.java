/**
 * Invoices under a lock on three independent Redis servers, any one of which may be killed.
 */
@NullMarked
package io.distributionlock.sample.showcase.masters;

import org.jspecify.annotations.NullMarked;
