package dev.holdfast.testkit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The text of a reply to INFO: lines of {@code field:value}. */
record InfoReply(String text) {
    static InfoReply of(@Nullable Object reply) {
        return new InfoReply(Objects.toString(reply, ""));
    }

    /** {@return the field's value, or the empty string if the server does not report it} */
    String field(String name) {
        String prefix = name + ":";
        return text.lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()).trim())
                .findFirst()
                .orElse("");
    }
}
