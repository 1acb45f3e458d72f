package dev.holdfast.campaign;

import dev.holdfast.campaign.run.CampaignRun;
import dev.holdfast.campaign.run.Options;
import java.util.List;

/**
 * Plays rounds against the locks, judges each, and reports. Ends with status 1 if a lock was seen to lie, 2 if what is asked for
 * cannot be done, 3 if nothing was found but not all could be judged, 4 if a round could not be played to its end; 0 is fine.
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

    private static int status(List<String> args) throws InterruptedException {
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
