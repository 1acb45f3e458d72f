package dev.holdfast.campaign.history;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An event as one line of text: its name and the values of its components, in order, with tabs between them. A list comes
 * last, each of its elements a value. Tabs, line ends and backslashes in a text are escaped.
 */
final class Line {
    private static final Map<String, Form> FORMS = Arrays.stream(Event.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Form::of));

    private Line() {}

    /** {@return the line of an event, without its end} */
    static String of(Event event) {
        String name = event.getClass().getSimpleName();
        StringBuilder line = new StringBuilder(name);
        for (RecordComponent component : form(name).components()) {
            Object value = invoke(() -> component.getAccessor().invoke(event));
            List<?> values = value instanceof List<?> list ? list : List.of(value);
            values.forEach(each -> line.append('\t').append(escaped(each.toString())));
        }
        return line.toString();
    }

    /**
     * {@return the event of a line}
     *
     * @throws IllegalArgumentException if it is none
     */
    static Event parse(String line) {
        String[] values = line.split("\t", -1);
        Form form = form(values[0]);
        Object[] arguments = new Object[form.components().size()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = form.components().get(i).getType();
            if (type == List.class) {
                arguments[i] = Arrays.stream(values, i + 1, values.length)
                        .map(Line::unescaped)
                        .toList();
            } else if (i + 1 < values.length) {
                arguments[i] = value(type, unescaped(values[i + 1]));
            } else {
                throw new IllegalArgumentException("a line must have a value for each component, was " + line);
            }
        }
        return (Event) invoke(() -> form.constructor().newInstance(arguments));
    }

    private static Form form(String name) {
        Form form = FORMS.get(name);
        if (form == null) {
            throw new IllegalArgumentException("a line must begin with the name of an event, was " + name);
        }
        return form;
    }

    private static Object value(Class<?> type, String text) {
        if (type == long.class) {
            return Long.valueOf(text);
        }
        if (type == int.class) {
            return Integer.valueOf(text);
        }
        if (type == boolean.class) {
            return Boolean.valueOf(text);
        }
        if (type == Op.class) {
            return Op.parse(text);
        }
        return type.isEnum() ? constant(type, text) : text;
    }

    private static Object constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is no " + type.getSimpleName()));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
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

    private static Object invoke(Reflection reflection) {
        try {
            return reflection.run();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("an event must be a record of simple values", e);
        }
    }

    private interface Reflection {
        Object run() throws ReflectiveOperationException;
    }

    /** How a kind of event is built. */
    private record Form(List<RecordComponent> components, Constructor<?> constructor) {
        static Form of(Class<?> event) {
            List<RecordComponent> components = List.of(event.getRecordComponents());
            Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
            return new Form(components, (Constructor<?>) invoke(() -> event.getDeclaredConstructor(types)));
        }
    }
}
