/** Placeholder. */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
