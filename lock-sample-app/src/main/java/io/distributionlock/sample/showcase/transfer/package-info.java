/**
 * Transfers between accounts, which lock both.
 */
@NullMarked
package io.distributionlock.sample.showcase.transfer;

import org.jspecify.annotations.NullMarked;
