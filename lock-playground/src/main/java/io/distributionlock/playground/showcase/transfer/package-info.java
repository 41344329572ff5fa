/**
 * Transfers between accounts, which lock both.
 */
@NullMarked
package io.distributionlock.playground.showcase.transfer;

import org.jspecify.annotations.NullMarked;
