package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.run.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a soak.
 *
 * @param minutes how many are played in all legs together
 * @param cluster whether the locks are on a cluster
 * @param seed of the faults
 * @param repository its root, whose build is used
 * @param directory for the journal and the log; a soak whose journal is there already is continued
 * @param publish the Markdown file into which the report is written, if it is to be published
 */
public record SoakOptions(
        int minutes, boolean cluster, long seed, Path repository, Path directory, Optional<Path> publish) {
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
            the time is not over or most of it could not be judged, 4 if a leg ended early by a failure of something else
            """;

    private static final String PUBLISH = "--publish";
    private static final List<String> WITH_VALUE = List.of(SOAK, "--topology", "--seed", "--directory", "--repository");

    /**
     * Parses a command line.
     *
     * @throws IllegalArgumentException if an option is unknown, or has no valid value
     */
    public static SoakOptions parse(List<String> arguments) {
        Map<String, String> values = Options.values(arguments, List.of(PUBLISH), WITH_VALUE, USAGE);
        String topology = values.getOrDefault("--topology", "single");
        if (!List.of("single", "cluster").contains(topology)) {
            throw new IllegalArgumentException(
                    "the topology must be single or cluster, was " + topology + "\n" + USAGE);
        }
        String hours = values.getOrDefault(SOAK, "");
        int minutes = (int) Math.round(60 * Options.number(hours, USAGE));
        if (minutes < 1) {
            throw new IllegalArgumentException(
                    "a soak must last for a minute at least, was " + hours + " hours\n" + USAGE);
        }
        Path repository = Path.of(values.getOrDefault("--repository", "."));
        return new SoakOptions(
                minutes,
                topology.equals("cluster"),
                (long) Options.number(values.getOrDefault("--seed", "1"), USAGE),
                repository,
                repository
                        .resolve(values.getOrDefault("--directory", "verification/campaign/target/soak-" + topology))
                        .normalize(),
                Optional.of(repository.resolve("verification/evidence/soak.md"))
                        .filter(file -> values.containsKey(PUBLISH)));
    }
}
