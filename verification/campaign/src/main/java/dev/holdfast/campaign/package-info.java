/** The campaign: several processes use the locks, a nemesis injects faults, and checkers judge the recorded history. */
@NullMarked
package dev.holdfast.campaign;

import org.jspecify.annotations.NullMarked;
