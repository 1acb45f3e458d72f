/** Takes the place of a class that Curator's tests of its read-write lock create themselves. */
@NullMarked
package org.apache.curator.framework.recipes.locks;

import org.jspecify.annotations.NullMarked;
