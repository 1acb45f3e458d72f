package dev.holdfast.benchmarks.measure;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The way in which several clients shared one lock. A turn is a sequence of acquisitions by one client without one by
 * another client in between.
 *
 * @param shares the share of each client, by its number
 * @param nanos the time from the first acquisition to the last
 */
public record Turns(List<Share> shares, long nanos) {
    /**
     * The share of one client.
     *
     * @param turns the number of its turns
     * @param acquisitions the number of its acquisitions
     * @param held the time for which it held the lock, in nanoseconds
     */
    public record Share(long turns, long acquisitions, long held) {
        private static final Share NONE = new Share(0, 0, 0);

        private Share plus(long turn, Journal.Entry entry) {
            return new Share(turns + turn, acquisitions + 1, held + entry.left() - entry.entered());
        }
    }

    /** {@return the shares of this number of clients in these acquisitions, which may be in any order} */
    public static Turns of(List<Journal.Entry> entries, int clients) {
        Share[] shares = new Share[clients];
        Arrays.fill(shares, Share.NONE);
        List<Journal.Entry> inOrder = entries.stream()
                .sorted(Comparator.comparingLong(Journal.Entry::entered))
                .toList();
        int last = -1;
        for (Journal.Entry entry : inOrder) {
            int client = entry.client();
            shares[client] = shares[client].plus(client == last ? 0 : 1, entry);
            last = client;
        }
        long nanos = inOrder.isEmpty()
                ? 0
                : inOrder.get(inOrder.size() - 1).entered() - inOrder.get(0).entered();
        return new Turns(List.of(shares), nanos);
    }

    /** {@return the number of turns of all clients} */
    public long turns() {
        return shares.stream().mapToLong(Share::turns).sum();
    }

    /** {@return the client's share of the turns, in percent} */
    public double turnsPercent(int client) {
        return 100.0 * shares.get(client).turns() / turns();
    }

    /** {@return the client's share of the acquisitions, in percent} */
    public double acquisitionsPercent(int client) {
        return 100.0
                * shares.get(client).acquisitions()
                / shares.stream().mapToLong(Share::acquisitions).sum();
    }

    /** {@return the client's share of the time of all clients' holds, in percent} */
    public double heldPercent(int client) {
        return 100.0
                * shares.get(client).held()
                / shares.stream().mapToLong(Share::held).sum();
    }
}
