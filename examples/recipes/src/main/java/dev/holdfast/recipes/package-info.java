/** What docs/recipes.md shows, to be copied into an application. */
@NullMarked
package dev.holdfast.recipes;

import org.jspecify.annotations.NullMarked;
