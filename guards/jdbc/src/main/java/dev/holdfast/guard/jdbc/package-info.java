/**
 * The resource's side of fencing, for rows of a database: {@link dev.holdfast.guard.jdbc.JdbcGuard} writes only with a
 * token that is not smaller than the last one seen.
 */
@NullMarked
package dev.holdfast.guard.jdbc;

import org.jspecify.annotations.NullMarked;
