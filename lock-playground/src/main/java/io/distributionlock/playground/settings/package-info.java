/**
 * What must be configured before the application starts.
 */
@NullMarked
package io.distributionlock.playground.settings;

import org.jspecify.annotations.NullMarked;
