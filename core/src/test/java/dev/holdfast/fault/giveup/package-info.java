/** A caller gives up while its command, its reply or its grant is in flight. */
@NullMarked
package dev.holdfast.fault.giveup;

import org.jspecify.annotations.NullMarked;
