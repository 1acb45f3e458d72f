/** The lock tests that other projects publish, run against Holdfast by adapters to those projects' interfaces. */
@NullMarked
package dev.holdfast.peers;

import org.jspecify.annotations.NullMarked;
