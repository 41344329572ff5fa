/**
 * The form of every answer, including errors.
 */
@NullMarked
package io.distributionlock.sample.web;

import org.jspecify.annotations.NullMarked;
