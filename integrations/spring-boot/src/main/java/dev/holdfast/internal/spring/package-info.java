/** What the other packages share. No API. */
@NullMarked
package dev.holdfast.internal.spring;

import org.jspecify.annotations.NullMarked;
