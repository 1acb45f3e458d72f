/** A server that is reached by TLS, and certificates for it and its clients. */
@NullMarked
package dev.holdfast.testkit.tls;

import org.jspecify.annotations.NullMarked;
