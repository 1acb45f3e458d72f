package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a package: each public type and each public or protected member that it declares, as text under
 * version control, so that a change of the API is a change of that text. The order is that of the text, not that of the
 * source. Types are named without their packages; the nullness of values is part of it.
 */
public final class PublicSurface {
    private static final Path EXPECTED = Path.of("src", "test", "resources", "public-surface.txt");
    private static final Path ACTUAL = Path.of("target", "public-surface.txt");
    private static final int SHOWN = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL;

    /** The package in front of a type's name. */
    private static final String PACKAGE = "\\b([a-z][a-z0-9]*\\.)+(?=[A-Z])";

    private final Class<?> anchor;

    private PublicSurface(Class<?> anchor) {
        this.anchor = anchor;
    }

    /**
     * {@return the API of the package that contains the type, as compiled into the directory the type was loaded from}
     */
    public static PublicSurface ofPackageOf(Class<?> type) {
        return new PublicSurface(type);
    }

    /**
     * Compares the API with {@code src/test/resources/public-surface.txt} of the module under test.
     *
     * @throws AssertionError if they differ; the message lists the lines, and the command that accepts the change
     */
    public void requireAsCheckedIn() {
        List<String> actual = lines();
        List<String> expected = checkedIn();
        if (actual.equals(expected)) {
            return;
        }
        write(actual);
        throw new AssertionError("the public surface of " + anchor.getPackageName() + " has changed.\n"
                + difference("removed", expected, actual) + difference("added", actual, expected)
                + "If the change is intended, run this in the module, and have it reviewed:\n  cp " + ACTUAL + " "
                + EXPECTED);
    }

    private static String difference(String what, List<String> from, List<String> without) {
        return from.stream()
                .filter(line -> !without.contains(line))
                .map(line -> what + ": " + line.strip() + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> checkedIn() {
        try {
            return Files.exists(EXPECTED) ? Files.readAllLines(EXPECTED) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(List<String> lines) {
        try {
            Files.createDirectories(ACTUAL.getParent());
            Files.write(ACTUAL, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the text: a line for each type, and an indented one for each of its members} */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : types()) {
            lines.add(describe(type).replaceAll(PACKAGE, ""));
            members(type).forEach(member -> lines.add("    " + member));
        }
        return lines;
    }

    private List<Class<?>> types() {
        Path folder = classes().resolve(anchor.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .sorted()
                    .<Class<?>>map(name -> load(name.substring(0, name.length() - ".class".length())))
                    .filter(PublicSurface::isShown)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path classes() {
        try {
            return Path.of(
                    anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of the classes is not a valid URI", e);
        }
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(anchor.getPackageName() + "." + name, false, anchor.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class file in the directory cannot be loaded", e);
        }
    }

    private static boolean isShown(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        boolean named = !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic();
        return named && isShown(type.getModifiers()) && (outer == null || isShown(outer));
    }

    private static boolean isShown(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String describe(Class<?> type) {
        String kind =
                type.isAnnotation() ? "@interface" : type.isInterface() ? "interface" : type.isEnum() ? "enum" : "";
        String isAbstract = Modifier.isAbstract(type.getModifiers()) && kind.isEmpty() ? "abstract " : "";
        String above = type.getGenericSuperclass() == null || type.isEnum()
                ? ""
                : " extends " + type.getGenericSuperclass().getTypeName();
        String beside =
                type.getGenericInterfaces().length == 0 ? "" : " implements " + types(type.getGenericInterfaces());
        return words(type.getModifiers(), SHOWN) + isAbstract + (kind.isEmpty() ? "class" : kind) + " "
                + type.getName() + variables(type.getTypeParameters())
                + (above.equals(" extends java.lang.Object") ? "" : above) + beside;
    }

    private static List<String> members(Class<?> type) {
        List<String> members = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (isShown(field.getModifiers()) && !field.isSynthetic()) {
                members.add(
                        words(field.getModifiers(), SHOWN) + text(field.getAnnotatedType()) + " " + field.getName());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isShown(constructor.getModifiers()) && !constructor.isSynthetic()) {
                members.add(describe(constructor, "", type.getSimpleName()));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isShown(method.getModifiers()) && !method.isSynthetic()) {
                String isAbstract = Modifier.isAbstract(method.getModifiers()) ? "abstract " : "";
                String how = method.isDefault() ? "default " : isAbstract;
                String result = text(method.getAnnotatedReturnType()) + " ";
                members.add(describe(method, how + variables(method.getTypeParameters()) + result, method.getName()));
            }
        }
        return members.stream()
                .map(member -> member.replaceAll(PACKAGE, ""))
                .sorted()
                .toList();
    }

    private static String describe(Executable member, String before, String name) {
        String parameters =
                Arrays.stream(member.getParameters()).map(PublicSurface::text).collect(Collectors.joining(", "));
        String thrown = member.getGenericExceptionTypes().length == 0
                ? ""
                : " throws " + types(member.getGenericExceptionTypes());
        return words(member.getModifiers(), SHOWN) + before + name + "(" + parameters + ")" + thrown;
    }

    private static String text(Parameter parameter) {
        return text(parameter.getAnnotatedType());
    }

    private static String text(AnnotatedType type) {
        String mayBeNull = Arrays.stream(type.getAnnotations())
                .map(annotation -> "@" + annotation.annotationType().getSimpleName() + " ")
                .collect(Collectors.joining());
        return mayBeNull + type.getType().getTypeName();
    }

    private static String types(Type[] types) {
        return Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", "));
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable + " extends " + types(variable.getBounds()))
                        .collect(Collectors.joining(", ", "<", "> "));
    }

    private static String words(int modifiers, int shown) {
        String words = Modifier.toString(modifiers & shown);
        return words.isEmpty() ? "" : words + " ";
    }
}
