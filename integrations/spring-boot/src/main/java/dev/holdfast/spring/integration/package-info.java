/** Locks of a client as those of Spring Integration. */
@NullMarked
package dev.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
