/**
 * Turns measurements into tables and charts. The charts are plain SVG that follows the reader's light or dark scheme and is the
 * same on every machine. Chart libraries offer neither: they use the machine's fonts and fixed colours.
 */
@NullMarked
package io.distributionlock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
