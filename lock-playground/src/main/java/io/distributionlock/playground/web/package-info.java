/**
 * The form of every answer, including errors.
 */
@NullMarked
package io.distributionlock.playground.web;

import org.jspecify.annotations.NullMarked;
