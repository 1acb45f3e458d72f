package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Operation;
import java.time.Duration;
import java.util.Set;

/**
 * The configuration of the locks of a history, and the limits for operations without a bound of their own. The last two
 * depend on the machine as well as on the locks: under load, they need room.
 *
 * @param lease the lease of a hold that is renewed: the watchdog timeout
 * @param granted the lease of a renewed hold that a release grants to a client in line, until the first renewal: the
 *     command timeout
 * @param drift by how much a server's clock may run ahead within a lease
 * @param answer the time after which an unanswered command has failed: the command timeout, plus the time to report
 *     that
 * @param prompt how long a release, a wake-up, a grant or a report of a loss may take while no fault lasts
 * @param turn how long a waiter may have to wait for the lock while no fault lasts, however many others wait
 * @param outlasts how long Redis must be gone until a call that waits for longer fails: the failover timeout; zero if a
 *     call may fail at once, since too few replicas are there
 * @param lined whether all clients can join the line of clients; those that lack a right for it, or whose server does
 *     not know how many clients listen, compete for each release that leaves the lock free
 * @param fair whether the locks are fair, so that each owner is served in its turn
 * @param refused the processes whose Redis user may acquire no lock
 */
public record Terms(
        Duration lease,
        Duration granted,
        Duration drift,
        Duration answer,
        Duration prompt,
        Duration turn,
        Duration outlasts,
        boolean lined,
        boolean fair,
        Set<String> refused) {
    /**
     * How many more turns of others a waiter may see where clients compete. With three clients it loses every second
     * race by chance, and at least every second turn begins with one: ten turns are five races, which one waiter in 32
     * loses, and sixty turns are 30 races.
     */
    static final int UNLINED = 6;

    /** {@return the limit of a number of turns of others while one client waits, given that of clients in line} */
    int turns(int inLine) {
        return lined ? inLine : UNLINED * inLine;
    }

    /** {@return a lease in nanoseconds; that of a renewed hold if {@code leaseMillis} is 0} */
    long leaseNanos(long leaseMillis) {
        return leaseMillis == 0 ? lease.toNanos() : leaseMillis * 1_000_000;
    }

    /**
     * {@return the shortest lease that a hold can begin with, in nanoseconds} A release may have granted it. An owner
     * that requests a longer explicit lease does not begin before it has that. A reader may have joined others of its client, half
     * of whose lease has run.
     */
    long firstLeaseNanos(Operation grant) {
        boolean mayStandInLine = (grant.called().waitMillis() != 0 || grant.reads())
                && grant.called().by() != By.REDISSON;
        boolean renewed = grant.called().leaseMillis() == 0;
        if (!mayStandInLine || !renewed) {
            return leaseNanos(grant.called().leaseMillis());
        }
        long shortest = Math.min(lease.toNanos(), granted.toNanos());
        return grant.reads() ? shortest / 2 : shortest;
    }

    /**
     * {@return for how long the lock may stand still, and the line be gone, after a fault of a client to which it was
     * granted}
     */
    long standstillNanos() {
        return answer.toNanos() + prompt.toNanos();
    }

    /**
     * {@return how long after a fault a client may need until it is connected again and has done what was pending} A
     * connection attempt that is lost in the fault ends after {@link #answer}, another one follows at once, and then
     * what is sent is answered.
     */
    long mendingNanos() {
        return 2 * answer.toNanos() + prompt.toNanos();
    }

    /**
     * {@return how long after a restart of the server a client may need until it is connected and has verified its
     * holds}
     */
    long reconnectNanos() {
        return prompt.toNanos() + answer.toNanos();
    }

    /** {@return how late a holder may detect that its lock was deleted: a third of the lease, plus {@link #answer}} */
    long noticeNanos() {
        return lease.toNanos() / 3 + answer.toNanos();
    }
}
