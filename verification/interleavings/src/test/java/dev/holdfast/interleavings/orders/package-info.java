/**
 * The explored orders of sends and replies: a client on a modelled Redis, its parts alone, and the stress tests of them.
 */
@NullMarked
package dev.holdfast.interleavings.orders;

import org.jspecify.annotations.NullMarked;
