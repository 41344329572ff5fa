/**
 * What every endpoint answers with, also when something goes wrong.
 */
@NullMarked
package io.distributionlock.sample.web;

import org.jspecify.annotations.NullMarked;
