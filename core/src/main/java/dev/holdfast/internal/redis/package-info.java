/**
 * The edge to Redis: scripts sent by their SHA on one command connection, and a named outcome for every command, the unknown
 * one included. Independent of locks. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.redis;

import org.jspecify.annotations.NullMarked;
