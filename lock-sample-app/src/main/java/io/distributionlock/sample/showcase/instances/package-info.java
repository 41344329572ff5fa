/**
 * The running instances of the sample: how they find each other, and how a second one is started.
 */
@NullMarked
package io.distributionlock.sample.showcase.instances;

import org.jspecify.annotations.NullMarked;
