/** Holdfast on a Redis that speaks TLS. Written as a user would, with the public API only. */
@NullMarked
package dev.holdfast.tls;

import org.jspecify.annotations.NullMarked;
