/**
 * Transfers between accounts, which lock both.
 */
@NullMarked
package io.distributionlock.sample.transfer;

import org.jspecify.annotations.NullMarked;
