package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.text.Lines;
import java.nio.file.Path;

/** What a worker's process is told, one line each. */
public sealed interface Order {
    /** How an order is written and read. */
    Lines<Order> LINES = Lines.of(Order.class);

    /**
     * Take part in a round: connect, and let the actors begin.
     *
     * @param seed of the round
     * @param client the index of the client in the round's plan
     * @param generation 0, or one more than that of the client whose place it takes
     * @param redisUri where the locks are
     * @param journal what it is to write to
     */
    record Begin(long seed, int client, int generation, String redisUri, Path journal) implements Order {
        /** {@return the name of the process in the history of the round} */
        public String process() {
            return "client-" + client + (generation == 0 ? "" : "." + generation);
        }
    }

    /** Let the actors end their turns, and begin no more. */
    record Stop() implements Order {}

    /** Close the client, and see what is left. */
    record Close() implements Order {}

    /** Write to the log what all threads do. */
    record Explain() implements Order {}
}
