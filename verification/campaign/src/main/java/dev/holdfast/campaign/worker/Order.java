package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.text.Lines;
import java.nio.file.Path;

/** The orders to a worker process, one line each. */
public sealed interface Order {
    /** The text form of an order. */
    Lines<Order> LINES = Lines.of(Order.class);

    /**
     * Take part in a round: connect, and start the actors.
     *
     * @param seed the seed of the round
     * @param client the index of the client in the round's plan
     * @param generation 0, or one more than that of the client that it replaces
     * @param redisUri the server with the locks
     * @param journal the file for the events
     */
    record Begin(long seed, int client, int generation, String redisUri, Path journal) implements Order {
        /** {@return the name of the process in the history of the round} */
        public String process() {
            return "client-" + client + (generation == 0 ? "" : "." + generation);
        }
    }

    /** Let the actors complete their turns, and begin no more. */
    record Stop() implements Order {}

    /** Close the client, and check what is left. */
    record Close() implements Order {}

    /** Close the client at once, while its actors use locks; let them complete their turns, and check what is left. */
    record CloseInUse() implements Order {}
}
