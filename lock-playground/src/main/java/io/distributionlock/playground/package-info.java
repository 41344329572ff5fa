/**
 * The playground: each scenario is a package of its own, with a controller, a locked service and its tables. Behind them are {@code burst},
 * {@code timeline}, {@code instances} and {@code comparison}, for the page; {@code setup}, {@code web} and {@code work}, for all.
 */
@NullMarked
package io.distributionlock.playground;

import org.jspecify.annotations.NullMarked;
