/** The scripts of the read-write lock, in sequences of commands by chance, beside Redisson's. */
@NullMarked
package dev.holdfast.script.readwrite;

import org.jspecify.annotations.NullMarked;
