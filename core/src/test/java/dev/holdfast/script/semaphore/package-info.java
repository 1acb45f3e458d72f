/** The scripts of the semaphore, in sequences of commands by chance and in each order: a model of it, and rules. */
@NullMarked
package dev.holdfast.script.semaphore;

import org.jspecify.annotations.NullMarked;
