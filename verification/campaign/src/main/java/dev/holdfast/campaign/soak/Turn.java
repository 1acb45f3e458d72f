package dev.holdfast.campaign.soak;

import dev.holdfast.Holdfast;
import java.util.Random;
import java.util.function.Consumer;

/** What an actor does again and again. Used by one thread. */
@FunctionalInterface
interface Turn {
    void take() throws Exception;

    /**
     * What the turns of an actor use.
     *
     * @param client the index of the client
     * @param parent is notified of what the actor has held
     */
    record Setting(Holdfast holdfast, int client, Random random, Consumer<SoakAnswer> parent) {}
}
