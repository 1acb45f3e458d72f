package dev.holdfast.spring.locked;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/** The attributes of an annotation, with placeholders resolved. What is malformed is an {@link IllegalArgumentException}. */
record Attributes(MergedAnnotation<?> annotation, StringValueResolver placeholders) {
    String text(String name) {
        String value = placeholders.resolveStringValue(annotation.getString(name));
        return value == null ? "" : value;
    }

    @Nullable
    Duration duration(String name, @Nullable Duration unset) {
        String text = text(name);
        try {
            return text.isEmpty() ? unset : DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " must be a duration such as 2s or PT2S, was " + text, e);
        }
    }

    int number(String name) {
        String text = text(name);
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number such as 4, was '" + text + "'", e);
        }
    }

    boolean flag(String name) {
        return annotation.getBoolean(name);
    }

    <E extends Enum<E>> E constant(String name, Class<E> type) {
        return annotation.getEnum(name, type);
    }
}
