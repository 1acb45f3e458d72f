/** Locks on more than one Redis server. */
@NullMarked
package dev.holdfast.topology;

import org.jspecify.annotations.NullMarked;
