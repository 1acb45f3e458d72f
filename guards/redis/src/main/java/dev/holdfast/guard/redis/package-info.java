/**
 * The resource's side of fencing, for data in Redis: {@link dev.holdfast.guard.redis.RedisGuard} writes only with a
 * token that is not smaller than the last one seen.
 */
@NullMarked
package dev.holdfast.guard.redis;

import org.jspecify.annotations.NullMarked;
