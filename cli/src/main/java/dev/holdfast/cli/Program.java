package dev.holdfast.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How a program is started, and why it could not be. */
final class Program {
    /**
     * Set by the start script, unless SIGQUIT is to stay ignored, to the command that starts another one with SIGQUIT
     * unblocked. Before JDK 25, processes inherit the mask of the Java thread that starts them, in which it is blocked: most
     * programs would never receive it.
     */
    private static final Optional<String> UNBLOCKER = Optional.ofNullable(System.getProperty("holdfast.unblocker"));

    private Program() {}

    /** {@return the command, preceded by another that unblocks SIGQUIT if that is needed} Not if it cannot be started. */
    static List<String> receivingSigquit(List<String> command, Map<String, String> environment) {
        boolean starts = candidates(command.get(0), environment).anyMatch(Files::isExecutable);
        return UNBLOCKER
                .filter(unblocker -> starts)
                .map(unblocker -> Stream.concat(Stream.of(unblocker.split(" ")), command.stream())
                        .toList())
                .orElse(command);
    }

    /**
     * {@return {@link ExitCode#NOT_FOUND} if there is no such file, and {@link ExitCode#CANNOT_START} otherwise} An
     * exception says it in words that differ from version to version.
     */
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
