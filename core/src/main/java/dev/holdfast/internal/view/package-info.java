/**
 * The locks and handles that users get: they validate arguments, determine the owner, and begin a call. Nothing is
 * decided here about a hold or a wait. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.view;

import org.jspecify.annotations.NullMarked;
