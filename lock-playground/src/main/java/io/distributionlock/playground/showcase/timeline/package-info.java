/**
 * Records which requests wait and which work, for the page to draw.
 */
@NullMarked
package io.distributionlock.playground.showcase.timeline;

import org.jspecify.annotations.NullMarked;
