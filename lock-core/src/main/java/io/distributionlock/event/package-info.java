/**
 * The events that an application can listen to, and how the library publishes them.
 */
@NullMarked
package io.distributionlock.event;

import org.jspecify.annotations.NullMarked;
