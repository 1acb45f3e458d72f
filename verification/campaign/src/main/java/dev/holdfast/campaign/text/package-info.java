/** Records as lines of text, for journals and for the messages between processes. */
@NullMarked
package dev.holdfast.campaign.text;

import org.jspecify.annotations.NullMarked;
