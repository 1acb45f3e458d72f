package dev.holdfast.campaign.worker;

import java.nio.file.Path;

/** What a worker's process is told: one line each, a word and its values. */
public sealed interface Order {
    /** {@return the order as a line, without its end; {@link #parse} reads it} */
    String line();

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

        @Override
        public String line() {
            return "begin " + seed + " " + client + " " + generation + " " + redisUri + " " + journal;
        }
    }

    /** Let the actors end their turns, and begin no more. */
    record Stop() implements Order {
        @Override
        public String line() {
            return "stop";
        }
    }

    /** Close the client, and see what is left. */
    record Close() implements Order {
        @Override
        public String line() {
            return "close";
        }
    }

    /** Write to the log what all threads do. */
    record Explain() implements Order {
        @Override
        public String line() {
            return "explain";
        }
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no order
     */
    static Order parse(String line) {
        String[] words = line.split(" ", 6);
        return switch (words[0]) {
            case "begin" ->
                new Begin(
                        Long.parseLong(words[1]),
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]),
                        words[4],
                        Path.of(words[5]));
            case "stop" -> new Stop();
            case "close" -> new Close();
            case "explain" -> new Explain();
            default -> throw new IllegalArgumentException("a line must be an order, was " + line);
        };
    }
}
