/**
 * The conditions of locks: the waiters of this client for each of them, what wakes these, and what a holder signals. Internal: not for
 * users.
 */
@NullMarked
package dev.holdfast.internal.condition;

import org.jspecify.annotations.NullMarked;
