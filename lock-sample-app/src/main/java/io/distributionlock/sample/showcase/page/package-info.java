/**
 * The address of the page.
 */
@NullMarked
package io.distributionlock.sample.showcase.page;

import org.jspecify.annotations.NullMarked;
