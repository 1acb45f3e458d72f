/**
 * What a client has whatever it does with locks: its identity, clock and settings, the checks of arguments, and the
 * exceptions. No command is sent from here. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.session;

import org.jspecify.annotations.NullMarked;
