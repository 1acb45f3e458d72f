/** A campaign against the locks: many processes use them, a nemesis breaks what it can, and a judge looks at the history. */
@NullMarked
package dev.holdfast.campaign;

import org.jspecify.annotations.NullMarked;
