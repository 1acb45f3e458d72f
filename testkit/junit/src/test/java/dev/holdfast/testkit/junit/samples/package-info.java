/** The samples of {@code docs/testing.md}: the tests, and the application that they test. */
@NullMarked
package dev.holdfast.testkit.junit.samples;

import org.jspecify.annotations.NullMarked;
