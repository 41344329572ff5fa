@NullMarked
package io.distributionlock.playground.embedded;

import org.jspecify.annotations.NullMarked;
