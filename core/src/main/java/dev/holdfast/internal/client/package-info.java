/**
 * A client, put together: its lifecycle, the views of a lock that users get, and the handles. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.client;

import org.jspecify.annotations.NullMarked;
