/**
 * What tests share: applications with the library, real Redis servers, and networks that misbehave.
 */
@NullMarked
package io.distributionlock.testing;

import org.jspecify.annotations.NullMarked;
