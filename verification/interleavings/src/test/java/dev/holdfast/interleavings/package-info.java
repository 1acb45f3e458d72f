/** The common base of this module's tests: running threads against each other in every order. */
@NullMarked
package dev.holdfast.interleavings;

import org.jspecify.annotations.NullMarked;
