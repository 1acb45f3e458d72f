package dev.holdfast.campaign.worker;

/** What a worker's process says: one line each, a word and perhaps a text. */
public sealed interface Answer {
    /** {@return the answer as a line, without its end; {@link #parse} reads it} */
    String line();

    /** The process is there, and takes orders. */
    record Ready() implements Answer {
        @Override
        public String line() {
            return "ready";
        }
    }

    /** The client is connected, and the actors have begun. */
    record Begun() implements Answer {
        @Override
        public String line() {
            return "begun";
        }
    }

    /** All actors have ended their last turn. */
    record Stopped() implements Answer {
        @Override
        public String line() {
            return "stopped";
        }
    }

    /** The client is closed. */
    record Closed() implements Answer {
        @Override
        public String line() {
            return "closed";
        }
    }

    /** Something happened that must not; the reason has one line. */
    record Failed(String reason) implements Answer {
        @Override
        public String line() {
            return "failed " + reason;
        }
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no answer
     */
    static Answer parse(String line) {
        return switch (line) {
            case "ready" -> new Ready();
            case "begun" -> new Begun();
            case "stopped" -> new Stopped();
            case "closed" -> new Closed();
            default -> {
                if (!line.startsWith("failed ")) {
                    throw new IllegalArgumentException("a line must be an answer, was " + line);
                }
                yield new Failed(line.substring("failed ".length()));
            }
        };
    }
}
