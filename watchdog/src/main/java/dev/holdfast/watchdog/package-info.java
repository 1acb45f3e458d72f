/** Placeholder. */
@NullMarked
package dev.holdfast.watchdog;

import org.jspecify.annotations.NullMarked;
