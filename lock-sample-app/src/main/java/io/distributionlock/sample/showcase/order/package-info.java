/**
 * The scenario of the order application.
 */
@NullMarked
package io.distributionlock.sample.showcase.order;

import org.jspecify.annotations.NullMarked;
