package dev.holdfast.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The name of the build of Holdfast that is checked out: its commit. */
public final class PresentBuild {
    private static final String CHANGED = ", changed";

    private PresentBuild() {}

    /**
     * {@return the last commit that has changed the library, and whether there are changes since}
     *
     * @param repository a directory of the checkout
     * @param pom the one of those that use the build, which also determines it
     * @throws IllegalArgumentException if git knows no such commit
     */
    public static String name(Path repository, String pom) {
        List<String> sources =
                List.of("--", ":/core/src/main", ":/pubsub/src/main", ":/watchdog/src/main", ":/pom.xml", ":/" + pom);
        String commit = git(repository, List.of("log", "-1", "--format=%h"), sources);
        if (commit.isEmpty()) {
            throw new IllegalArgumentException(
                    repository + " must be in a git checkout, but git has printed no commit of " + sources);
        }
        return commit
                + (git(repository, List.of("status", "--porcelain"), sources).isEmpty() ? "" : CHANGED);
    }

    /** {@return whether all builds of this name are the same: without changes that are in no commit} */
    public static boolean isCommitted(String name) {
        return !name.endsWith(CHANGED);
    }

    private static String git(Path repository, List<String> command, List<String> sources) {
        List<String> words = Stream.of(List.of("git", "-C", repository.toString()), command, sources)
                .flatMap(List::stream)
                .toList();
        try {
            Process git = new ProcessBuilder(words).start();
            try (BufferedReader lines = git.inputReader()) {
                return lines.lines().collect(Collectors.joining(" ")).trim();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run git, to name the build", e);
        }
    }
}
