/**
 * What the scenarios do between reading and writing.
 */
@NullMarked
package io.distributionlock.sample.work;

import org.jspecify.annotations.NullMarked;
