/**
 * What a client reports to the JDK's flight recorder. Nothing here depends on a lock or on Redis. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.jfr;

import org.jspecify.annotations.NullMarked;
