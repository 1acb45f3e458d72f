/**
 * What Holdfast's own tests stand on: real Redis servers, a proxy that injects network faults, a timer cranked by hand,
 * and the contract every kind of lock must fulfil. Knows nothing of Holdfast itself, so that each module can use it.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
