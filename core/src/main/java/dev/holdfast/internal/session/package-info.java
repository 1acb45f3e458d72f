/**
 * What a client has whatever it does with locks: its identity, clock and settings, its Redis node, and the ways in
 * which it reports to its users. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.session;

import org.jspecify.annotations.NullMarked;
