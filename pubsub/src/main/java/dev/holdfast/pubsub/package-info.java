/** Placeholder. */
@NullMarked
package dev.holdfast.pubsub;

import org.jspecify.annotations.NullMarked;
