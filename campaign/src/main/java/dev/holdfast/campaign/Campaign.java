package dev.holdfast.campaign;

import dev.holdfast.campaign.run.CampaignRun;
import dev.holdfast.campaign.run.Options;
import java.util.List;

/**
 * Plays rounds against the locks, judges each, and reports. Ends with status 1 if a lock was seen to lie, 2 if the command line
 * cannot be understood.
 */
public final class Campaign {
    private Campaign() {}

    /**
     * Runs the campaign.
     *
     * @param args see {@link Options}
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
        System.exit(new CampaignRun(options, System.out::println).run() ? 0 : 1);
    }
}
