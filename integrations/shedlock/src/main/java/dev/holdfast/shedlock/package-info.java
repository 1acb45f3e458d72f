/** Scheduled tasks that run once among several instances, by ShedLock, with locks of Holdfast. */
@NullMarked
package dev.holdfast.shedlock;

import org.jspecify.annotations.NullMarked;
