/** Takes the place of classes that Curator's tests of its read-write lock and of its semaphore create themselves. */
@NullMarked
package org.apache.curator.framework.recipes.locks;

import org.jspecify.annotations.NullMarked;
