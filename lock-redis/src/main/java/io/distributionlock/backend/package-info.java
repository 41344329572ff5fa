/**
 * What the engine needs of a place that keeps locks: its commands, their replies, and the settings.
 */
@NullMarked
package io.distributionlock.backend;

import org.jspecify.annotations.NullMarked;
