package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.RoundPlan;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Plays a round. */
interface Game {
    /**
     * {@return what became of it}
     *
     * @param directory for the journals
     * @param out is told what happens, for people
     */
    RoundOutcome play(RoundPlan plan, Path directory, Consumer<String> out) throws InterruptedException;
}
