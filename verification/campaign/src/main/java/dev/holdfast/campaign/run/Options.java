package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of a command line.
 *
 * @param seed the seed of the run, from which the seeds of its rounds are drawn
 * @param round the seed of the one round that is played again and again, instead of those of the run
 * @param only the theme of all rounds; empty for all themes in turn
 * @param before the directory with the jars of an earlier build, which takes part in {@link Theme#VERSIONS}; empty if that is
 *     not played
 * @param rounds the largest number of rounds
 * @param time the time after which no further round is begun
 * @param keep whether the journals of rounds that pass are kept as well
 * @param directory for the journals and the report
 * @param publish the Markdown file into which the report is written, if it is to be published
 */
public record Options(
        long seed,
        OptionalLong round,
        Optional<Theme> only,
        Optional<Path> before,
        int rounds,
        Duration time,
        boolean keep,
        Path directory,
        Optional<Path> publish) {
    static final String USAGE = """
            --minutes n        how many minutes; the default is 10
            --rounds n         how many rounds at most
            --quick            four rounds, a minute and a half
            --seed n           the seed of the run; by default, one is drawn and printed
            --round-seed n     play only the round of this seed, again and again
            --only theme       rounds of this theme only, such as pollers or given-up
            --before directory half of the processes of the theme versions use the earlier build whose jars of holdfast-core,
                               -watchdog and -pubsub are in there (from the root of the repository); without it, this theme
                               is not played
            --keep             also keep the journals of rounds that pass
            --publish          write the report into verification/evidence/campaign.md if the run passes

            exit status: 1 after a violation, 2 if the options cannot be satisfied, 3 if no violation was found but
            something could not be decided, 4 if a round could not be played to its end
            """;

    private static final int QUICK_ROUNDS = 4;
    private static final List<String> FLAGS = List.of("--quick", "--keep", "--publish");
    private static final List<String> WITH_VALUE =
            List.of("--minutes", "--rounds", "--seed", "--round-seed", "--only", Options.BEFORE, Options.REPOSITORY);
    private static final String BEFORE = "--before";
    /** Set by the build: the root of the repository, which contains the directories for the output. */
    private static final String REPOSITORY = "--repository";

    /**
     * Parses a command line.
     *
     * @throws IllegalArgumentException if an option is unknown, or has no valid value
     */
    public static Options parse(List<String> arguments) {
        return of(values(arguments, FLAGS, WITH_VALUE, USAGE));
    }

    /**
     * {@return the values of a command line by their options; that of a flag is empty}
     *
     * @throws IllegalArgumentException with the usage, if an option is unknown, or has no value
     */
    public static Map<String, String> values(
            List<String> arguments, List<String> flags, List<String> withValue, String usage) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            boolean flag = flags.contains(name);
            if (!flag && (!withValue.contains(name) || i + 1 == arguments.size())) {
                throw new IllegalArgumentException("unknown option or missing value: " + name + "\n" + usage);
            }
            values.put(name, flag ? "" : arguments.get(++i));
        }
        return values;
    }

    private static Options of(Map<String, String> values) {
        Path repository = Path.of(values.getOrDefault(REPOSITORY, "."));
        String rounds = values.containsKey("--quick") ? Integer.toString(QUICK_ROUNDS) : values.get("--rounds");
        String round = values.get("--round-seed");
        String seed = values.get("--seed");
        double minutes = number(values.getOrDefault("--minutes", "10"), USAGE);
        Options options = new Options(
                seed == null ? RandomGenerator.getDefault().nextInt(1_000_000) : (long) number(seed, USAGE),
                round == null ? OptionalLong.empty() : OptionalLong.of((long) number(round, USAGE)),
                Optional.ofNullable(values.get("--only")).map(Options::theme),
                Optional.ofNullable(values.get(BEFORE))
                        .map(directory -> repository.resolve(directory).normalize()),
                rounds == null ? Integer.MAX_VALUE : (int) number(rounds, USAGE),
                Duration.ofSeconds(Math.round(60 * minutes)),
                values.containsKey("--keep"),
                repository.resolve("verification/campaign/target/campaign").normalize(),
                Optional.of(repository.resolve("verification/evidence/campaign.md"))
                        .filter(file -> values.containsKey("--publish")));
        if (options.before().isEmpty() && options.onlyVersions()) {
            throw new IllegalArgumentException(
                    "rounds of two builds need the jars of the earlier one: " + BEFORE + "\n" + USAGE);
        }
        return options;
    }

    private boolean onlyVersions() {
        return only.equals(Optional.of(Theme.VERSIONS))
                || (round.isPresent() && Theme.of(round.getAsLong()) == Theme.VERSIONS);
    }

    private static Theme theme(String text) {
        return Stream.of(Theme.values())
                .filter(theme -> text.equals(named(theme)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of "
                        + Stream.of(Theme.values()).map(Options::named).collect(Collectors.joining(", ")) + ", was "
                        + text + "\n" + USAGE));
    }

    /** {@return the name of a theme on the command line} */
    static String named(Theme theme) {
        return theme.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * {@return the number that is written so}
     *
     * @throws IllegalArgumentException with the usage, if none is
     */
    public static double number(String text, String usage) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a number, was " + text + "\n" + usage, e);
        }
    }
}
