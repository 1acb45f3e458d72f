package dev.holdfast.campaign.check;

import java.time.Duration;

/**
 * What the locks of a history were configured with, and how long things may take that have no bound of their own. The
 * last two are measures of the machine as well as of the locks: under load, they need room.
 *
 * @param lease of a hold that is renewed: the watchdog timeout
 * @param drift by how much a server's clock may run ahead within a lease
 * @param answer after which a command without an answer is given up: the command timeout, and what it takes to say so
 * @param prompt how long a release, a wake-up, a grant or an announcement may take when nothing is broken
 * @param turn how long a waiter may have to wait for its turn when nothing is broken, whoever else waits
 */
public record Terms(Duration lease, Duration drift, Duration answer, Duration prompt, Duration turn) {
    /** {@return a lease in nanoseconds; that of a renewed hold if {@code leaseMillis} is 0} */
    long leaseNanos(long leaseMillis) {
        return leaseMillis == 0 ? lease.toNanos() : leaseMillis * 1_000_000;
    }

    /**
     * {@return how long after a fault a client may need until it is connected again and has done what it owed} An attempt
     * to connect that the fault has swallowed is given up after an answer's time, another follows at once, and then what is
     * sent is answered.
     */
    long mendingNanos() {
        return 2 * answer.toNanos() + prompt.toNanos();
    }

    /** {@return how long after a restart of the server a client may need until it is connected and knows what became of its holds} */
    long reconnectNanos() {
        return prompt.toNanos() + answer.toNanos();
    }

    /** {@return how late a holder may notice that its lock was deleted: a third of the lease, and a round trip} */
    long noticeNanos() {
        return lease.toNanos() / 3 + answer.toNanos();
    }
}
