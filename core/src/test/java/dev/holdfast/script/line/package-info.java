/** The line of clients, in every sequence of commands up to a length: a model of it, and what Redis has after each command. */
@NullMarked
package dev.holdfast.script.line;

import org.jspecify.annotations.NullMarked;
