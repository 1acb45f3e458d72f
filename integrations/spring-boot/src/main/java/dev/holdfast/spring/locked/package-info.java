/** Methods that run under a lock: {@link dev.holdfast.spring.locked.Locked @Locked}. */
@NullMarked
package dev.holdfast.spring.locked;

import org.jspecify.annotations.NullMarked;
