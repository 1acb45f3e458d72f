/** What the tests of this module have in common: how threads are let run against each other in every order. */
@NullMarked
package dev.holdfast.interleavings;

import org.jspecify.annotations.NullMarked;
