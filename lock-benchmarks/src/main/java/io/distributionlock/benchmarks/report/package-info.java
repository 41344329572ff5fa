/**
 * Makes tables and charts of measurements. The charts are plain SVG that follows the light or dark scheme of whoever looks at them,
 * and is the same on every machine, which the libraries for charts do not give: they draw by the machine's own fonts, in fixed
 * colours.
 */
@NullMarked
package io.distributionlock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
