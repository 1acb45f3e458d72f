/**
 * The edge to Redis: one command connection per client, scripts sent by their SHA, and a named outcome for every
 * command, the outcome "nobody knows" included. Knows no lock. Internal: not for users.
 */
@NullMarked
package dev.holdfast.redis;

import org.jspecify.annotations.NullMarked;
