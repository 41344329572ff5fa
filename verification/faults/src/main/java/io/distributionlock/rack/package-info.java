/** Runs this lock and its peers under the same faults, before a witness that Redis knows nothing of. */
@NullMarked
package io.distributionlock.rack;

import org.jspecify.annotations.NullMarked;
