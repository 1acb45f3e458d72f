/**
 * Acquiring a lock: what a caller waits for, when it tries, and each attempt of it. Where it waits in between is decided
 * in {@code wait}, and what it then holds in {@code hold}. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.acquire;

import org.jspecify.annotations.NullMarked;
