/** How many types of the library one call passes through, on its own threads and on those of the driver. */
@NullMarked
package dev.holdfast.ways;

import org.jspecify.annotations.NullMarked;
