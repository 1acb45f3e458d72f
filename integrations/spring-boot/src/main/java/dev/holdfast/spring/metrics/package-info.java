/** The meters of the client, where Micrometer is used. */
@NullMarked
package dev.holdfast.spring.metrics;

import org.jspecify.annotations.NullMarked;
