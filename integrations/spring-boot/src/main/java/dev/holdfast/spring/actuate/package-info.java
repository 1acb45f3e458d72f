/** What operators see of a client: its health, and the endpoint {@code holdfast}. */
@NullMarked
package dev.holdfast.spring.actuate;

import org.jspecify.annotations.NullMarked;
