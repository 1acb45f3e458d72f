/** Meters of a Holdfast client, for any monitoring system that Micrometer supports. */
@NullMarked
package dev.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
