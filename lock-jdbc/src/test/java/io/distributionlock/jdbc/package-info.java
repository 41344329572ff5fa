@NullMarked
package io.distributionlock.jdbc;

import org.jspecify.annotations.NullMarked;
