/**
 * The foundation of Holdfast's own tests: real Redis servers, a proxy that injects network faults, a manual timer, and
 * the contract of every kind of lock. Independent of Holdfast itself, so that each module can use it.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
