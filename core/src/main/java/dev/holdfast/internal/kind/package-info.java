/**
 * The kinds of lock: their keys, their scripts and the replies to these. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.kind;

import org.jspecify.annotations.NullMarked;
