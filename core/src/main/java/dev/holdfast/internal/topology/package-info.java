/**
 * Which Redis node each lock is on: one server, the masters of a cluster, or the master that sentinels name. What is sent
 * to that node is decided above, and on which connection in {@code redis}. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.topology;

import org.jspecify.annotations.NullMarked;
