/**
 * What a lock's new home has to know of holds, releases and tokens, since a failover may have lost them. Which node is
 * the home is decided in {@code topology}. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.failover;

import org.jspecify.annotations.NullMarked;
