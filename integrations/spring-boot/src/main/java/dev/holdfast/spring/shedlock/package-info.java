/** Scheduled tasks that run once among several instances, where ShedLock is used. */
@NullMarked
package dev.holdfast.spring.shedlock;

import org.jspecify.annotations.NullMarked;
