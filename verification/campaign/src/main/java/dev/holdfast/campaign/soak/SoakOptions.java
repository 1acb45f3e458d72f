package dev.holdfast.campaign.soak;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a soak.
 *
 * @param minutes how many are played in all legs together
 * @param cluster whether the locks are on a cluster
 * @param seed of the faults
 * @param directory for the journal and the log; a soak whose journal is there already is continued
 * @param publish the Markdown file into which the report is written, if it is to be published
 */
public record SoakOptions(int minutes, boolean cluster, long seed, Path directory, Optional<Path> publish) {
    /** The option without which there is no soak. */
    public static final String SOAK = "--soak";

    static final String USAGE = """
            --soak hours       a soak of so many hours, which continues the one in its directory
            --topology name    single, which is the default, or cluster
            --seed n           the seed of the faults; the default is 1
            --directory path   for the journal (from the root of the repository); the default is
                               verification/campaign/target/soak-single, or -cluster
            --publish          write the report into verification/evidence/soak.md if the soak passes

            exit status: 1 after a violation, 2 if the options cannot be satisfied, 3 if no violation was found but
            the time is not over or nothing could be judged, 4 if a leg ended early by a failure of something else
            """;

    private static final String PUBLISH = "--publish";
    private static final List<String> WITH_VALUE = List.of(SOAK, "--topology", "--seed", "--directory", "--repository");

    /**
     * Parses a command line.
     *
     * @throws IllegalArgumentException if an option is unknown, or has no valid value
     */
    public static SoakOptions parse(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            boolean flag = name.equals(PUBLISH);
            if (!flag && (!WITH_VALUE.contains(name) || i + 1 == arguments.size())) {
                throw new IllegalArgumentException("unknown option or missing value: " + name + "\n" + USAGE);
            }
            values.put(name, flag ? "" : arguments.get(++i));
        }
        String topology = values.getOrDefault("--topology", "single");
        if (!List.of("single", "cluster").contains(topology)) {
            throw new IllegalArgumentException(
                    "the topology must be single or cluster, was " + topology + "\n" + USAGE);
        }
        Path repository = Path.of(values.getOrDefault("--repository", "."));
        return new SoakOptions(
                (int) Math.round(60 * number(values.getOrDefault(SOAK, ""))),
                topology.equals("cluster"),
                (long) number(values.getOrDefault("--seed", "1")),
                repository
                        .resolve(values.getOrDefault("--directory", "verification/campaign/target/soak-" + topology))
                        .normalize(),
                Optional.of(repository.resolve("verification/evidence/soak.md"))
                        .filter(file -> values.containsKey(PUBLISH)));
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a number, was " + text + "\n" + USAGE, e);
        }
    }
}
