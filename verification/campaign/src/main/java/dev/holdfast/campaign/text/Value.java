package dev.holdfast.campaign.text;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Converts a value to text, in which tabs, line ends and backslashes are escaped, and back: a number, a boolean, a
 * string, a path, an enum constant, or an instance of a type with a public static method {@code parse} that reads what
 * its {@code toString} writes.
 */
final class Value {
    private Value() {}

    static String write(Object value) {
        return value.toString()
                .replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    /** @throws IllegalArgumentException if the text is not a value of this type */
    static Object read(Class<?> type, String written) {
        String text = unescaped(written);
        if (type == long.class) {
            return Long.valueOf(text);
        } else if (type == int.class) {
            return Integer.valueOf(text);
        } else if (type == boolean.class) {
            return Boolean.valueOf(text);
        } else if (type == String.class) {
            return text;
        } else if (type == Path.class) {
            return Path.of(text);
        }
        return type.isEnum() ? constant(type, text) : parsed(type, text);
    }

    private static Object constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is no " + type.getSimpleName()));
    }

    private static Object parsed(Class<?> type, String text) {
        try {
            return type.getMethod("parse", String.class).invoke(null, text);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(text + " is no " + type.getSimpleName(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " must have a public static method parse(String)", e);
        }
    }

    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            plain.append(next == '\\' ? meant(text.charAt(++i)) : next);
        }
        return plain.toString();
    }

    private static char meant(char escape) {
        return switch (escape) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            default -> escape;
        };
    }
}
