/** Tests that start the program as users do: by its script, from its jar. */
@NullMarked
package dev.holdfast.cli.packaged;

import org.jspecify.annotations.NullMarked;
