package dev.holdfast.campaign;

import dev.holdfast.campaign.run.CampaignRun;
import dev.holdfast.campaign.run.Ending;
import dev.holdfast.campaign.run.Options;
import dev.holdfast.campaign.soak.Soak;
import dev.holdfast.campaign.soak.SoakOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Plays rounds against the locks, judges each by all rules, and reports. Exit status: 0 if every rule held; 1 if a rule
 * was violated; 2 if the options cannot be satisfied; 3 if no violation was found but something could not be decided; 4
 * if a round could not be played to its end. The status of a soak is explained by {@link SoakOptions}.
 */
public final class Campaign {
    private static final int REFUSED = 2;

    private static final Duration ENDED_WITHIN = Duration.ofSeconds(60);

    private Campaign() {}

    /**
     * Runs the campaign.
     *
     * @param args see {@link Options} and {@link SoakOptions}
     */
    public static void main(String[] args) throws InterruptedException {
        System.exit(status(List.of(args)));
    }

    /** {@return the exit status of a run with these options} */
    static int status(List<String> args) throws InterruptedException {
        try {
            if (args.contains(SoakOptions.SOAK)) {
                return soak(args).status();
            }
            return new CampaignRun(Options.parse(args), System.out::println)
                    .run()
                    .status();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return REFUSED;
        }
    }

    /** The end of the JVM, such as by SIGTERM, waits for that of the soak. */
    private static Ending soak(List<String> args) {
        Soak soak = new Soak(SoakOptions.parse(args), System.out::println);
        Thread player = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            player.interrupt();
                            awaitEnd(ended);
                        },
                        "soak-end"));
        try {
            return soak.run();
        } finally {
            ended.countDown();
        }
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            if (!ended.await(ENDED_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                System.err.println("the soak has not ended within " + ENDED_WITHIN.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
