package dev.holdfast.examples.shop;

import java.time.Duration;

/** A message of a process of sellers to its parent: one line, a keyword and its values. */
sealed interface Message {
    /** {@return the message as a line, without its end; {@link #parse} reads it} */
    String line();

    /** The process is connected, and waits for the signal to begin. */
    record Ready() implements Message {
        @Override
        public String line() {
            return "ready";
        }
    }

    /**
     * A seller has begun its turn.
     *
     * @param waited the time since it requested the turn
     * @param stock the stock that it then read
     */
    record Acquired(Duration waited, int stock) implements Message {
        @Override
        public String line() {
            return "acquired " + waited + " " + stock;
        }
    }

    /** A seller holds the lock, has written nothing, and keeps the lock until its process is killed. */
    record Holding() implements Message {
        @Override
        public String line() {
            return "holding";
        }
    }

    /** A seller holds the lock, and begins the long sale. */
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
     * @param renewals the renewals of its lease in that time
     * @param kept whether the lease was held without interruption
     */
    record LongSaleEnded(Duration held, long renewals, boolean kept) implements Message {
        @Override
        public String line() {
            return "long-sale-ended " + held + " " + renewals + " " + kept;
        }
    }

    /**
     * All sellers have ended, and so does the process.
     *
     * @param renewals the renewals of all its leases
     * @param lost the number of its lost leases
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
     * @throws IllegalArgumentException if the line is not a message
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
