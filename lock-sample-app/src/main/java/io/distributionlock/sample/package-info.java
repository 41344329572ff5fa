/**
 * The sample application: an order service whose orders change one at a time, however many instances run.
 */
@NullMarked
package io.distributionlock.sample;

import org.jspecify.annotations.NullMarked;
