@NullMarked
package io.distributionlock.sample.embedded;

import org.jspecify.annotations.NullMarked;
