/**
 * The kinds of lock: their keys, their scripts and the replies to these. When a script is sent is decided above. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.kind;

import org.jspecify.annotations.NullMarked;
