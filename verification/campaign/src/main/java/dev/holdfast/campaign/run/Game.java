package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.RoundPlan;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Plays a round. */
interface Game {
    /**
     * {@return the outcome of the round}
     *
     * @param directory for the journals
     * @param out receives the progress, as text for the user
     */
    RoundOutcome play(RoundPlan plan, Path directory, Consumer<String> out) throws InterruptedException;
}
