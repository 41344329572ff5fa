/**
 * Reports attempts and leases to observations, meters and event listeners, and to the actuator endpoint.
 */
@NullMarked
package io.distributionlock.observation;

import org.jspecify.annotations.NullMarked;
