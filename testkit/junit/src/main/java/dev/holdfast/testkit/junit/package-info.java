/**
 * Tests of code that uses Holdfast: a JUnit extension with a Redis and a client, and what may happen to them. A lease is
 * lost, a lock is busy, Redis cannot be reached, time passes.
 */
@NullMarked
package dev.holdfast.testkit.junit;

import org.jspecify.annotations.NullMarked;
