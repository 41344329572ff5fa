/** On which threads blocking calls may be made, and what runs on them meanwhile. */
@org.jspecify.annotations.NullMarked
package io.distributionlock.blocking;
