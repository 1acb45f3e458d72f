/** Code that uses the library as an application would, from a package of its own. */
@NullMarked
package dev.holdfast.app;

import org.jspecify.annotations.NullMarked;
