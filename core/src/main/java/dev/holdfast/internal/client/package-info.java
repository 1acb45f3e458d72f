/**
 * One client, put together, opened and closed. The lock algorithm is in the packages below, and what a user sees of it
 * in {@code view}. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.client;

import org.jspecify.annotations.NullMarked;
