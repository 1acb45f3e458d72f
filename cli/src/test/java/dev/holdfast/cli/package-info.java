/** Tests of the program: its parts, and the whole in the process of the test. */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
