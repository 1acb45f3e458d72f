/** Configures a client, and what Spring uses it for, from the properties of an application. */
@NullMarked
package dev.holdfast.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
