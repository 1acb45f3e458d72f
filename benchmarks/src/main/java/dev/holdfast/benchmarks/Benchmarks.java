package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.report.BuildComparison;
import dev.holdfast.benchmarks.report.Conditions;
import dev.holdfast.benchmarks.report.Console;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.Results;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.Map;

/**
 * Runs Holdfast and its peers, or two builds of Holdfast, side by side on one Redis, prints the figures, and writes a
 * report.
 *
 * <p>Exits with status 1 if a violation of exclusion was observed, and with 2 if the command line is invalid.
 */
public final class Benchmarks {
    private Benchmarks() {}

    /**
     * Runs the benchmarks.
     *
     * @param args see {@code Options}
     */
    public static void main(String[] args) throws InterruptedException {
        Options options;
        try {
            options = Options.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.exit(run(options) ? 0 : 1);
    }

    /** {@return whether no violation of exclusion was observed} */
    static boolean run(Options options) throws InterruptedException {
        try (RedisServer server = RedisServer.builder().start()) {
            if (options.before().isPresent()) {
                return compareBuilds(options, options.before().get(), server);
            }
            Map<String, String> conditions =
                    Conditions.of(options.given(), options.pace(), options.repository(), server.version());
            Results results = options.time().isEmpty()
                    ? new Results()
                    : Report.earlier(options.out(), conditions, System.err::println);
            Report report = new Report(options.out(), conditions, results);
            boolean complete = new Runner(options, server, System.err::println)
                    .run(
                            results,
                            report::write,
                            workload -> System.out.println(Console.of(workload, results.entries(workload))));
            report.write();
            System.out.println(Console.overview(results));
            System.out.println("The report is in " + options.out()
                    + (complete ? "" : ". The time is over; the same command continues."));
            return results.violations() == 0;
        }
    }

    private static boolean compareBuilds(Options options, String before, RedisServer server)
            throws InterruptedException {
        BuildComparison comparison = new BuildRunner(options, server, System.err::println).run(before, soFar -> {
            System.out.println(soFar.plain());
            soFar.write(options.out());
        });
        System.out.println("The report is in " + options.out());
        return comparison.violations() == 0;
    }
}
