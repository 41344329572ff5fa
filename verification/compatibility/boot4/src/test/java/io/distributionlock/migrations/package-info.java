/**
 * The migrations of {@code docs/comparison.md}: applications that take the lock of another library and one of this one.
 */
package io.distributionlock.migrations;
