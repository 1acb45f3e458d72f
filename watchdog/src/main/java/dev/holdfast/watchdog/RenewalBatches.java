package dev.holdfast.watchdog;

import dev.holdfast.watchdog.LeaseRule.Inquiry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store about leases: those that are due together in one batch, as far as it can bear, and many batches one
 * after the other. A hundred thousand leases that were taken in one go are due in one go; sent at once, their renewals
 * would keep the timer's thread, the connection and the store from everything else until the last is done. So a tick
 * sends only so many batches that have no answer yet, and the rest waits for the next ticks. Next time they are due as
 * they were sent, apart.
 *
 * <p>The lists are guarded by the keeper's lock. Nobody is asked or told anything under it.
 */
final class RenewalBatches<S extends LeaseSubject> {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final LeaseKeeper<S> keeper;
    private final LeaseStore<S> store;
    private final int batchLimit;

    /** Leases that fell due in the present sweep. */
    private List<LeaseLife<S>> due = new ArrayList<>();

    /** Batches that were not sent yet. */
    private final Deque<RenewalBatch<S>> waiting = new ArrayDeque<>();

    /** How many batches may yet be sent, until the next sweep, without being answered at once. */
    private int allowance = Pace.LEAST_BATCHES;

    private final LongAdder renewals = new LongAdder();
    private final LongAdder unknowns = new LongAdder();
    /** Set by the first batch that has trouble, cleared by the next that has none; the first is logged. */
    private final AtomicBoolean troubled = new AtomicBoolean();

    RenewalBatches(LeaseKeeper<S> keeper, LeaseStore<S> store) {
        this.keeper = keeper;
        this.store = store;
        this.batchLimit = store.batchLimit();
        if (batchLimit < 1) {
            throw new IllegalArgumentException(
                    "batchLimit must be at least 1, was " + batchLimit + ": nothing could be asked");
        }
    }

    long renewals() {
        return renewals.sum();
    }

    long unknowns() {
        return unknowns.sum();
    }

    /** Under the keeper's lock: the lease is asked about at the end of the sweep, with all that are due in it. */
    void onDue(LeaseLife<S> lease) {
        due.add(lease);
    }

    /** Under the keeper's lock: all that was to be asked is asked anew, or not at all. */
    void forget() {
        waiting.clear();
    }

    /** At the end of a sweep, on its thread. */
    void askDue() {
        List<LeaseLife<S>> batch = List.of();
        keeper.lock.lock();
        try {
            allowance = keeper.pace.batchesPerTick(waiting.size(), keeper.deadlines.tickNanos());
            if (!due.isEmpty()) {
                batch = due;
                due = new ArrayList<>();
            }
        } finally {
            keeper.lock.unlock();
        }
        ask(batch);
    }

    /** Asks about all of them, soon if not now. */
    void ask(List<LeaseLife<S>> leases) {
        List<LeaseLife<S>> renew = new ArrayList<>(leases.size());
        List<LeaseLife<S>> verify = new ArrayList<>();
        for (LeaseLife<S> lease : leases) {
            switch (lease.inquiry()) {
                case RENEW -> renew.add(lease);
                case VERIFY -> verify.add(lease);
                case NONE -> {}
            }
        }
        keeper.lock.lock();
        try {
            queue(Inquiry.RENEW, renew);
            queue(Inquiry.VERIFY, verify);
        } finally {
            keeper.lock.unlock();
        }
        for (RenewalBatch<S> next = next(); next != null; next = next()) {
            send(next);
        }
    }

    private void queue(Inquiry inquiry, List<LeaseLife<S>> leases) {
        for (int from = 0; from < leases.size(); from += batchLimit) {
            int to = Math.min(leases.size(), from + batchLimit);
            waiting.add(new RenewalBatch<>(this, inquiry, leases.subList(from, to)));
        }
    }

    /** The next question that anybody still has to be asked, put just now; null when there is none or it has to wait. */
    private @Nullable RenewalBatch<S> next() {
        keeper.lock.lock();
        try {
            while (!waiting.isEmpty() && allowance > 0) {
                RenewalBatch<S> next = waiting.remove();
                if (next.put(keeper.clock.now())) {
                    allowance--;
                    return next;
                }
            }
            if (!waiting.isEmpty()) {
                keeper.roll.wakeBy(keeper.clock.now() + keeper.deadlines.tickNanos());
            }
            return null;
        } finally {
            keeper.lock.unlock();
        }
    }

    private void send(RenewalBatch<S> question) {
        renewals.add(question.renews() ? question.size() : 0);
        question.send(store);
        if (question.isAnswered()) {
            keeper.lock.lock();
            try {
                allowance++;
            } finally {
                keeper.lock.unlock();
            }
        }
    }

    /** A question about this lease was given up on; it is news when it is the first since the lease was confirmed. */
    void timedOut(LeaseLife<S> lease, boolean news) {
        unknowns.increment();
        if (news && troubled.compareAndSet(false, true)) {
            LOG.warn(
                    "no answer about {}, last confirmed {} ms ago; asked again until it runs out",
                    lease,
                    lease.ageMillis());
        }
    }

    /** A question was answered, or failed. */
    void heard(RenewalBatch<S> question, int unknown, @Nullable LeaseLife<S> news, @Nullable Throwable failure) {
        if (unknown == 0) {
            troubled.set(false);
            return;
        }
        unknowns.add(unknown);
        if (news != null && troubled.compareAndSet(false, true)) {
            LOG.warn(
                    "no answer about {} of {} leases, one is {}, last confirmed {} ms ago; asked again until they run out",
                    unknown,
                    question.size(),
                    news,
                    news.ageMillis(),
                    failure);
        }
    }
}
