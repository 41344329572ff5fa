/**
 * The address of the page, and what only the page may do.
 */
@NullMarked
package io.distributionlock.playground.showcase.page;

import org.jspecify.annotations.NullMarked;
