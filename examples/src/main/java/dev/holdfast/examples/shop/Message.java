package dev.holdfast.examples.shop;

import java.time.Duration;

/** What a process that sells tells its parent: one line each, a word and its values. */
sealed interface Message {
    /** {@return the message as a line, without its end; {@link #parse} reads it} */
    String line();

    /** The process is connected, and waits for the word to begin. */
    record Ready() implements Message {
        @Override
        public String line() {
            return "ready";
        }
    }

    /**
     * A seller has got its turn.
     *
     * @param waited since it asked for it
     * @param stock what it read then
     */
    record Acquired(Duration waited, int stock) implements Message {
        @Override
        public String line() {
            return "acquired " + waited + " " + stock;
        }
    }

    /** A seller holds the lock, has written nothing, and will go on holding it until it is killed. */
    record Holding() implements Message {
        @Override
        public String line() {
            return "holding";
        }
    }

    /** A seller holds the lock, and starts to take its time. */
    record LongSaleBegun() implements Message {
        @Override
        public String line() {
            return "long-sale-begun";
        }
    }

    /** A lease of this process was renewed. */
    record Renewed() implements Message {
        @Override
        public String line() {
            return "renewed";
        }
    }

    /**
     * The long sale is about to be written.
     *
     * @param held how long the lock was held for it so far
     * @param renewals of its lease in that time
     * @param kept whether the lease was held without a gap
     */
    record LongSaleEnded(Duration held, long renewals, boolean kept) implements Message {
        @Override
        public String line() {
            return "long-sale-ended " + held + " " + renewals + " " + kept;
        }
    }

    /**
     * All is sold, and the process ends.
     *
     * @param renewals of its leases, in all
     * @param lost leases, in all
     */
    record Done(long renewals, long lost) implements Message {
        @Override
        public String line() {
            return "done " + renewals + " " + lost;
        }
    }

    /** A seller failed; the reason has one line. */
    record Failed(String reason) implements Message {
        @Override
        public String line() {
            return "failed " + reason;
        }
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no message
     */
    static Message parse(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0]) {
            case "ready" -> new Ready();
            case "acquired" -> new Acquired(Duration.parse(words[1]), Integer.parseInt(words[2]));
            case "holding" -> new Holding();
            case "long-sale-begun" -> new LongSaleBegun();
            case "renewed" -> new Renewed();
            case "long-sale-ended" ->
                new LongSaleEnded(Duration.parse(words[1]), Long.parseLong(words[2]), Boolean.parseBoolean(words[3]));
            case "done" -> new Done(Long.parseLong(words[1]), Long.parseLong(words[2]));
            case "failed" -> new Failed(line.substring("failed ".length()));
            default -> throw new IllegalArgumentException("a line must be a message, was " + line);
        };
    }
}
