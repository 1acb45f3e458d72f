/**
 * One Redis node as locks use it: its connection and channels, the calls that wait for it while it is away, and the errors
 * it may reply. It decides nothing about a lock. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.node;

import org.jspecify.annotations.NullMarked;
