/**
 * Observations, meters, events and the endpoint. All of it is optional.
 */
@NullMarked
package io.distributionlock.observe;

import org.jspecify.annotations.NullMarked;
