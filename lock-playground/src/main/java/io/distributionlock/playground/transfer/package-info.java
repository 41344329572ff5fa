/**
 * Transfers between accounts, which lock both.
 */
@NullMarked
package io.distributionlock.playground.transfer;

import org.jspecify.annotations.NullMarked;
