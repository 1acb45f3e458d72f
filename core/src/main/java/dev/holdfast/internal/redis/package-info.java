/**
 * The edge to Redis: one command connection per client, scripts sent by their SHA, and a named outcome for every
 * command, including the unknown one. Independent of locks. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.redis;

import org.jspecify.annotations.NullMarked;
