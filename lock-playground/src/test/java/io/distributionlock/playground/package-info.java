@NullMarked
package io.distributionlock.playground;

import org.jspecify.annotations.NullMarked;
