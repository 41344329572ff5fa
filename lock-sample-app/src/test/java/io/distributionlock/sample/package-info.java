@NullMarked
package io.distributionlock.sample;

import org.jspecify.annotations.NullMarked;
