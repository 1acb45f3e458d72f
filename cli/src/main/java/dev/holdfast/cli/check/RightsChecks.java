package dev.holdfast.cli.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the rights of a user allow, by what they are needed for. */
final class RightsChecks {
    private RightsChecks() {}

    /** @param kinds those of lock that the application uses */
    static List<Finding> of(UserRights rights, Set<Use> kinds, Shape shape, boolean isSharded) {
        List<Finding> findings = new ArrayList<>();
        for (Use use : Use.values()) {
            if (use.isIn(shape) && (!use.isKind() || kinds.contains(use))) {
                findings.add(of(rights, use, shape == Shape.CLUSTER && isSharded));
            }
        }
        return findings;
    }

    static Finding of(UserRights rights, Use use, boolean isSharded) {
        return found(rights, use, use.rights(rights.prefix(), isSharded)).because("without: " + use.without());
    }

    private static Finding found(UserRights rights, Use use, List<String> needed) {
        String user = "user " + rights.user();
        List<String> missing = with(rights, needed, RightVerdict.DENIED);
        List<String> none = with(rights, needed, RightVerdict.NO_COMMAND);
        List<String> unknown = with(rights, needed, RightVerdict.UNKNOWN);
        if (!none.isEmpty()) {
            return finding(
                    use.level(),
                    use.word() + ": the server does not know " + commands(none),
                    "a Redis that has it, without rename-command, and without a proxy that takes it away");
        }
        if (rights.prefix().isEmpty() && missing.removeIf(RightsChecks::isPattern) && missing.isEmpty()) {
            return finding(
                    Level.NOTE,
                    use.word() + " unknown: " + user + " may use some names alone",
                    "--prefix, and how the names of your locks begin");
        }
        if (!missing.isEmpty()) {
            String lacks = use.word() + ": " + user + " lacks " + String.join(" ", missing);
            // What may be missing as well. A pattern that the user has already would be refused.
            unknown.stream().filter(right -> !isPattern(right)).forEach(missing::add);
            return finding(use.level(), lacks, rule(rights, missing));
        }
        if (!unknown.isEmpty()) {
            return finding(
                    Level.NOTE,
                    use.word() + " unknown: the server does not say whether " + user + " has "
                            + String.join(" ", unknown),
                    "ACL GETUSER " + rights.user() + ", and ACL SETUSER for what it lacks of these");
        }
        return finding(Level.OK, use.word() + ": " + user + " has what is needed", "");
    }

    private static Finding finding(Level level, String figure, String set) {
        return new Finding(level, Check.RIGHTS, List.of(), figure, Check.RIGHTS.why(), set);
    }

    private static String rule(UserRights rights, List<String> missing) {
        return "ACL SETUSER " + rights.user() + " " + String.join(" ", missing);
    }

    private static List<String> with(UserRights rights, List<String> needed, RightVerdict verdict) {
        List<String> found = new ArrayList<>(needed);
        found.removeIf(right -> rights.of(right) != verdict);
        return found;
    }

    private static boolean isPattern(String right) {
        return !right.startsWith("+");
    }

    private static String commands(List<String> rights) {
        return String.join(
                ", ",
                rights.stream()
                        .map(right -> right.substring(1).replace('|', ' ').toUpperCase(Locale.ROOT))
                        .toList());
    }
}
