/**
 * Holdfast beside Redisson on one Redis: a service can migrate from one to the other instance by instance, because both
 * use the same lock for the same name. Written as a user would, with the public API only.
 */
@NullMarked
package dev.holdfast.interop;

import org.jspecify.annotations.NullMarked;
