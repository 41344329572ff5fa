/**
 * Locks over a quorum of independent Redis servers, in the manner of Redlock. The engine is the same as for one server; the port in
 * this package turns each of its commands into one command per node.
 */
@NullMarked
package io.distributionlock.quorum;

import org.jspecify.annotations.NullMarked;
