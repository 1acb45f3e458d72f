package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The times at which a lock can be held by an acquisition without a result: by an {@linkplain GivenUp abandoned} one, or
 * by one that waits and was granted the lock by a release, but the message is lost, or its process is stopped. That grant ends with
 * its lease, and the acquisition may be granted the lock once more. Or by a multi-lock, which releases it again before it has all. And after a
 * failover by one that was released, if the new master has not replicated that, until the release is repeated.
 */
final class Orphans {
    /** The faults by which a waiter does not know of its grant. */
    private static final Set<Fault> LOSE_GRANTS = EnumSet.of(Fault.MESSAGES_LOST, Fault.CLIENT_PAUSED);

    private final Terms terms;

    /** For each beginning, the latest end of those that begin no later. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    Orphans(Terms terms, Windows windows, List<Operation> operations) {
        this.terms = terms;
        Times times = new Times();
        operations.stream()
                .filter(GivenUp::is)
                .map(operation -> GivenUp.of(operation, terms, windows))
                .forEach(orphan -> times.add(orphan.since(), orphan.until()));
        operations.stream()
                .filter(operation -> operation.called().by() == By.MULTI && operation.is(Outcome.GRANTED))
                .forEach(joint -> times.add(joint.called().at(), joint.end()));
        operations.stream().filter(Orphans::waits).forEach(waiter -> addLostGrants(waiter, windows, times));
        windows.all().stream()
                .filter(window -> window.fault() == Fault.MASTER_REPLACED)
                .forEach(window -> times.add(window.since(), repaired(window)));
        times.merged().forEach(time -> ends.put(time.since(), time.until()));
    }

    /** {@return whether a release can grant it the lock} */
    private static boolean waits(Operation operation) {
        return operation.called().what().acquires()
                && operation.called().waitMillis() != 0
                && operation.called().by() != By.REDISSON;
    }

    private void addLostGrants(Operation waiter, Windows windows, Times times) {
        long called = waiter.called().at();
        windows.all().stream()
                .filter(window -> LOSE_GRANTS.contains(window.fault())
                        && window.hits(waiter.op().process())
                        && window.overlaps(called, waiter.end()))
                .forEach(window -> {
                    long last = Math.min(window.until(), waiter.end());
                    long until = last == Operation.NEVER ? last : last + grantedNanos(waiter);
                    times.add(Math.max(called, window.since()), until);
                });
    }

    private long repaired(Windows.Window failover) {
        return failover.until() == Operation.NEVER ? Operation.NEVER : failover.until() + terms.mendingNanos();
    }

    /** {@return the lease that a release grants to it} */
    private long grantedNanos(Operation waiter) {
        return Math.min(
                terms.leaseNanos(waiter.called().leaseMillis()), terms.granted().toNanos());
    }

    /** {@return whether there can be one at any time between the two} */
    boolean possible(long from, long to) {
        Map.Entry<Long, Long> entry = ends.floorEntry(to);
        return entry != null && entry.getValue() >= from;
    }
}
