/** Tests of {@code top} below its command line. */
@NullMarked
package dev.holdfast.cli.top;

import org.jspecify.annotations.NullMarked;
