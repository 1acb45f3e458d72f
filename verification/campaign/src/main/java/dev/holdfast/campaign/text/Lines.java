package dev.holdfast.campaign.text;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Converts the records of one sealed interface to lines of text and back: the name of the record and the values of its
 * components, in order, separated by tabs. A list contains strings, is the last component, and each of its elements is
 * a value.
 *
 * @param <T> the interface
 */
public final class Lines<T> {
    private final Class<T> type;
    private final Map<String, Form> forms;

    private Lines(Class<T> type) {
        this.type = type;
        this.forms = Arrays.stream(type.getPermittedSubclasses())
                .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Form::of));
    }

    /** {@return the converter for the records that this interface permits} */
    public static <T> Lines<T> of(Class<T> sealedInterface) {
        return new Lines<>(sealedInterface);
    }

    /** {@return the line of a record, without line end} */
    public String write(T written) {
        String name = written.getClass().getSimpleName();
        StringBuilder line = new StringBuilder(name);
        for (RecordComponent component : form(name).components()) {
            Object value = reflected(() -> component.getAccessor().invoke(written));
            List<?> values = value instanceof List<?> list ? list : List.of(value);
            values.forEach(each -> line.append('\t').append(Value.write(each)));
        }
        return line.toString();
    }

    /**
     * {@return the record of a line}
     *
     * @throws IllegalArgumentException if the line is not valid
     */
    public T read(String line) {
        String[] values = line.split("\t", -1);
        Form form = form(values[0]);
        Object[] arguments = new Object[form.components().size()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> component = form.components().get(i).getType();
            if (component == List.class) {
                arguments[i] = Arrays.stream(values, i + 1, values.length)
                        .map(text -> Value.read(String.class, text))
                        .toList();
            } else if (i + 1 < values.length) {
                arguments[i] = Value.read(component, values[i + 1]);
            } else {
                throw new IllegalArgumentException("a line must have a value for each component, was " + line);
            }
        }
        return type.cast(reflected(() -> form.constructor().newInstance(arguments)));
    }

    private Form form(String name) {
        Form form = forms.get(name);
        if (form == null) {
            throw new IllegalArgumentException(
                    "a line must begin with the name of an " + type.getSimpleName() + ", was " + name);
        }
        return form;
    }

    private static Object reflected(Reflection reflection) {
        try {
            return reflection.run();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("only public records of simple values can be converted", e);
        }
    }

    private interface Reflection {
        Object run() throws ReflectiveOperationException;
    }

    /** The components of a record, and its constructor. */
    private record Form(List<RecordComponent> components, Constructor<?> constructor) {
        static Form of(Class<?> written) {
            List<RecordComponent> components = List.of(written.getRecordComponents());
            Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
            return new Form(components, (Constructor<?>) reflected(() -> written.getDeclaredConstructor(types)));
        }
    }
}
