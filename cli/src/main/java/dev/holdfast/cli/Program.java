package dev.holdfast.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tells why a program could not be started: the exception says it in words that differ from version to version. */
final class Program {
    private Program() {}

    /** {@return {@link ExitCode#NOT_FOUND} if there is no such file, and {@link ExitCode#CANNOT_START} otherwise} */
    static ExitCode whyNotStarted(String name, Map<String, String> environment) {
        return candidates(name, environment).anyMatch(Files::exists) ? ExitCode.CANNOT_START : ExitCode.NOT_FOUND;
    }

    private static Stream<Path> candidates(String name, Map<String, String> environment) {
        if (name.contains("/")) {
            return Stream.of(Path.of(name));
        }
        List<String> directories = List.of(Pattern.compile(":").split(environment.getOrDefault("PATH", "")));
        return directories.stream().map(directory -> Path.of(directory, name));
    }
}
