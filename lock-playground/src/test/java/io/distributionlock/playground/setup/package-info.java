@NullMarked
package io.distributionlock.playground.setup;

import org.jspecify.annotations.NullMarked;
