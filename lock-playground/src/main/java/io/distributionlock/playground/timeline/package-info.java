/**
 * Records which requests wait and which work, for the page to draw.
 */
@NullMarked
package io.distributionlock.playground.timeline;

import org.jspecify.annotations.NullMarked;
