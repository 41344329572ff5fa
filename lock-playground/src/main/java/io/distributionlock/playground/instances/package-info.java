/**
 * The running instances of the playground: how they find each other, and how a second one is started.
 */
@NullMarked
package io.distributionlock.playground.instances;

import org.jspecify.annotations.NullMarked;
