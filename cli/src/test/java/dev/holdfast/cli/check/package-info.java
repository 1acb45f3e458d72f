/** Tests of the questions to a deployment, and of what follows from the answers. */
@NullMarked
package dev.holdfast.cli.check;

import org.jspecify.annotations.NullMarked;
