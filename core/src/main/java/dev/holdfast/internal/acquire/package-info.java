/**
 * Acquiring a lock: what a caller waits for, and each attempt of it. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.acquire;

import org.jspecify.annotations.NullMarked;
