package dev.holdfast.cli.top;

import dev.holdfast.cli.found.NamePattern;
import dev.holdfast.cli.found.Target;
import java.util.List;

/**
 * Which names {@code top} shows, by the words of its command line: those with a special character are patterns.
 *
 * @param patterns one of which a name must match
 * @param names those words that are names, which can be read without a search
 */
record Wanted(List<NamePattern> patterns, List<String> names, String ofKeys, boolean isSearch) {
    static Wanted of(List<String> words) {
        if (words.isEmpty()) {
            return of(List.of("*"));
        }
        List<NamePattern> patterns = words.stream().map(NamePattern::of).toList();
        List<String> names = words.stream().filter(word -> !isPattern(word)).toList();
        return new Wanted(
                patterns, names, words.size() == 1 ? patterns.get(0).ofKeys() : "*", names.size() < words.size());
    }

    private static boolean isPattern(String word) {
        return word.chars().anyMatch(one -> "*?[\\".indexOf(one) >= 0);
    }

    boolean matches(String name) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(name));
    }

    /** {@return what to read for the names, whatever they are names of} */
    List<Target> targets() {
        return names.stream()
                .flatMap(name -> List.of(
                        new Target(Target.Kind.LOCK, name),
                        new Target(Target.Kind.SEMAPHORE, name),
                        new Target(Target.Kind.LATCH, name))
                        .stream())
                .toList();
    }
}
