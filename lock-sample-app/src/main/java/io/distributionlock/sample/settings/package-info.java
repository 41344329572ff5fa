/**
 * What must be configured before the application starts.
 */
@NullMarked
package io.distributionlock.sample.settings;

import org.jspecify.annotations.NullMarked;
