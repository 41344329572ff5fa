/**
 * What the page shows: scenarios, their timeline, a second instance and three Redis servers. Nothing outside needs it.
 */
@NullMarked
package io.distributionlock.playground.showcase;

import org.jspecify.annotations.NullMarked;
