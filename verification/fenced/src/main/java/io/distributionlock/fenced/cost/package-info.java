/** What the fenced commit costs beside a transaction alone and beside a row lock. */
@NullMarked
package io.distributionlock.fenced.cost;

import org.jspecify.annotations.NullMarked;
