package dev.holdfast.campaign;

import dev.holdfast.campaign.run.CampaignRun;
import dev.holdfast.campaign.run.Options;
import java.util.List;

/**
 * Plays rounds against the locks, judges each by all rules, and reports. Exit status: 0 if every rule held; 1 if a rule
 * was violated; 2 if the options cannot be satisfied; 3 if no violation was found but something could not be decided; 4
 * if a round could not be played to its end.
 */
public final class Campaign {
    private static final int REFUSED = 2;

    private Campaign() {}

    /**
     * Runs the campaign.
     *
     * @param args see {@link Options}
     */
    public static void main(String[] args) throws InterruptedException {
        System.exit(status(List.of(args)));
    }

    /** {@return the exit status of a run with these options} */
    static int status(List<String> args) throws InterruptedException {
        try {
            return new CampaignRun(Options.parse(args), System.out::println)
                    .run()
                    .status();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return REFUSED;
        }
    }
}
