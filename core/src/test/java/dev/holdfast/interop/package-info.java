/**
 * Holdfast beside Redisson on one Redis: a service can move from the one to the other instance by instance, because a lock
 * of one name is one lock to both. Written as a user would, with the public API only.
 */
@NullMarked
package dev.holdfast.interop;

import org.jspecify.annotations.NullMarked;
