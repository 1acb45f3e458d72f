/** Semaphores while the network, Redis or their callers fail. */
@NullMarked
package dev.holdfast.fault.permits;

import org.jspecify.annotations.NullMarked;
