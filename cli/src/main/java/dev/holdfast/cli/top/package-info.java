/**
 * What {@code holdfast top} shows: {@link dev.holdfast.cli.top.Top} watches the nodes of a Redis, and prints or draws what is in use.
 *
 * <p>{@code NodeWatch} reads one node, within a {@link dev.holdfast.cli.top.NodeBudget}; a {@code Snapshot} is what was read of all of
 * them, as {@code Entry}s. What a key press does to the view is decided by {@code TopView}, what is drawn by {@code TopScreen}, both
 * without a terminal; {@code TopLoop} connects them to the {@link dev.holdfast.cli.top.TopTerminal}.
 */
@NullMarked
package dev.holdfast.cli.top;

import org.jspecify.annotations.NullMarked;
