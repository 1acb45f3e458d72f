/**
 * Lettuce, configured: connections to a node, their limits, and why they fail. Independent of locks, and of
 * how commands are written. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.driver;

import org.jspecify.annotations.NullMarked;
