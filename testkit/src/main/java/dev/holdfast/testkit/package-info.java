/**
 * The foundation of Holdfast's own tests: real Redis servers, a proxy that injects network faults, a manual timer, and
 * the contracts of locks and latches. Independent of Holdfast itself, so that each module can use it.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
