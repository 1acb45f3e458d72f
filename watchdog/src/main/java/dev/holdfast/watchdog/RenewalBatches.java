package dev.holdfast.watchdog;

import dev.holdfast.watchdog.LeaseRule.RequestKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends renewals and verifications to the store: leases that are due together go into one batch, up to the store's
 * batch limit, and batches are sent one after the other. A hundred thousand leases that were acquired together are due
 * together; if all their renewals were sent at once, they would occupy the timer's thread, the connection and the store
 * until the last one is done. So a tick sends only a limited number of batches that have no reply yet, and the others
 * wait for the next ticks. The next time these leases are due at different times, just as they were sent.
 *
 * <p>The lists are guarded by the keeper's lock. Neither the store nor a subject is called under it.
 */
final class RenewalBatches<S extends LeaseSubject> {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final LeaseKeeper<S> keeper;
    private final LeaseStore<S> store;
    private final int batchLimit;

    /** Leases that became due in the present sweep. */
    private List<LeaseLife<S>> due = new ArrayList<>();

    /** Batches that were not sent yet. */
    private final Deque<RenewalBatch<S>> waiting = new ArrayDeque<>();

    /** How many more batches may be sent until the next sweep, not counting those with an immediate reply. */
    private int allowance = Pace.LEAST_BATCHES;

    /** Set by the first batch without a reply, which is logged; cleared by the next batch that has all its outcomes. */
    private final AtomicBoolean troubled = new AtomicBoolean();

    RenewalBatches(LeaseKeeper<S> keeper, LeaseStore<S> store) {
        this.keeper = keeper;
        this.store = store;
        this.batchLimit = store.batchLimit();
        if (batchLimit < 1) {
            throw new IllegalArgumentException(
                    "batchLimit must be at least 1, was " + batchLimit + ": no request could be sent");
        }
    }

    /**
     * Under the keeper's lock: a request for the lease is sent at the end of the sweep, with all others due in that
     * sweep.
     */
    void onDue(LeaseLife<S> lease) {
        due.add(lease);
    }

    /** Under the keeper's lock: drops all batches that were not sent; the caller creates new ones, or none. */
    void forget() {
        waiting.clear();
    }

    /** At the end of a sweep, on its thread. */
    void requestDue() {
        List<LeaseLife<S>> leases = List.of();
        keeper.lock.lock();
        try {
            allowance = keeper.pace.batchesPerTick(waiting.size(), keeper.deadlines.tickNanos());
            if (!due.isEmpty()) {
                leases = due;
                due = new ArrayList<>();
            }
        } finally {
            keeper.lock.unlock();
        }
        request(leases);
    }

    /** Sends requests for all of these leases: now, or with one of the next ticks. */
    void request(List<LeaseLife<S>> leases) {
        List<LeaseLife<S>> renew = new ArrayList<>(leases.size());
        List<LeaseLife<S>> verify = new ArrayList<>();
        for (LeaseLife<S> lease : leases) {
            switch (lease.requestKind()) {
                case RENEW -> renew.add(lease);
                case VERIFY -> verify.add(lease);
                case NONE -> {}
            }
        }
        keeper.lock.lock();
        try {
            queue(RequestKind.RENEW, renew);
            queue(RequestKind.VERIFY, verify);
        } finally {
            keeper.lock.unlock();
        }
        for (RenewalBatch<S> next = next(); next != null; next = next()) {
            send(next);
        }
    }

    private void queue(RequestKind kind, List<LeaseLife<S>> leases) {
        for (int from = 0; from < leases.size(); from += batchLimit) {
            int to = Math.min(leases.size(), from + batchLimit);
            waiting.add(new RenewalBatch<>(this, kind, leases.subList(from, to)));
        }
    }

    /** The next batch that a lease still needs, marked as sent now; null when there is none or when it has to wait. */
    private @Nullable RenewalBatch<S> next() {
        keeper.lock.lock();
        try {
            while (!waiting.isEmpty() && allowance > 0) {
                RenewalBatch<S> next = waiting.remove();
                if (next.prepare(keeper.clock.now())) {
                    allowance--;
                    return next;
                }
            }
            if (!waiting.isEmpty()) {
                keeper.schedule.wakeBy(keeper.clock.now() + keeper.deadlines.tickNanos());
            }
            return null;
        } finally {
            keeper.lock.unlock();
        }
    }

    private void send(RenewalBatch<S> batch) {
        batch.send(store);
        if (batch.isAnswered()) {
            keeper.lock.lock();
            try {
                allowance++;
            } finally {
                keeper.lock.unlock();
            }
        }
    }

    /** A request for this lease timed out; it is news when it is the first one since the lease was confirmed. */
    void timedOut(LeaseLife<S> lease, boolean news) {
        if (news && troubled.compareAndSet(false, true)) {
            LOG.warn("no reply for {}, last confirmed {} ms ago; retried until it runs out", lease, lease.ageMillis());
        }
    }

    /** A batch has a reply, or failed. */
    void completed(RenewalBatch<S> batch, int unknown, @Nullable LeaseLife<S> news, @Nullable Throwable failure) {
        if (unknown == 0) {
            troubled.set(false);
            return;
        }
        if (news != null && troubled.compareAndSet(false, true)) {
            LOG.warn(
                    "no reply for {} of {} leases, one is {}, last confirmed {} ms ago; retried until they run out",
                    unknown,
                    batch.size(),
                    news,
                    news.ageMillis(),
                    failure);
        }
    }
}
