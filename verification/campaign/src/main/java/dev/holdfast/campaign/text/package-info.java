/** Records as lines of text, for journals and for what processes say to each other. */
@NullMarked
package dev.holdfast.campaign.text;

import org.jspecify.annotations.NullMarked;
