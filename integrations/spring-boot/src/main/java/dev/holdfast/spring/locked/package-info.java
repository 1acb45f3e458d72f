/**
 * Methods that run under a lock or with permits: {@link dev.holdfast.spring.locked.Locked @Locked} and
 * {@link dev.holdfast.spring.locked.Limited @Limited}.
 */
@NullMarked
package dev.holdfast.spring.locked;

import org.jspecify.annotations.NullMarked;
