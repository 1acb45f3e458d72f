package dev.holdfast.watchdog;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One request to the store for a batch of leases, and its reply. A reply is matched by the identity of its batch; the
 * time at which the batch was sent is the time for which the reply is evidence.
 */
final class RenewalBatch<S extends LeaseSubject> {
    private final RenewalBatches<S> batches;
    private final LeaseRule.RequestKind kind;
    private final List<LeaseLife<S>> leases;

    /** Written under the keeper's lock, before the batch is sent. */
    private long sent;

    private volatile boolean answered;

    /** A batch of those of these leases that still need a request when it is sent. */
    RenewalBatch(RenewalBatches<S> batches, LeaseRule.RequestKind kind, List<LeaseLife<S>> leases) {
        this.batches = batches;
        this.kind = kind;
        this.leases = new ArrayList<>(leases);
    }

    boolean renews() {
        return kind == LeaseRule.RequestKind.RENEW;
    }

    /** The time just before the command was sent. */
    long sent() {
        return sent;
    }

    int size() {
        return leases.size();
    }

    boolean isAnswered() {
        return answered;
    }

    /** Under the keeper's lock: fixes the time and the leases that still need the request; false when none does. */
    boolean prepare(long now) {
        sent = now;
        leases.removeIf(lease -> !lease.join(this));
        return !leases.isEmpty();
    }

    /** Calls the store; any failure counts as a reply with outcome {@link RenewalOutcome#UNKNOWN}. */
    void send(LeaseStore<S> store) {
        List<S> batch = new ArrayList<>(leases.size());
        for (LeaseLife<S> lease : leases) {
            batch.add(lease.subject());
        }
        try {
            CompletionStage<List<RenewalOutcome>> answer = renews() ? store.renew(batch) : store.verify(batch);
            answer.whenComplete(this::answered);
        } catch (RuntimeException | Error e) {
            answered(null, e);
        }
    }

    private void answered(@Nullable List<RenewalOutcome> outcomes, @Nullable Throwable failure) {
        List<RenewalOutcome> known = outcomes != null && outcomes.size() == leases.size() ? outcomes : List.of();
        int unknown = 0;
        LeaseLife<S> firstUnknown = null;
        for (int i = 0; i < leases.size(); i++) {
            RenewalOutcome outcome = known.isEmpty() ? RenewalOutcome.UNKNOWN : orUnknown(known.get(i));
            boolean news = leases.get(i).answered(this, outcome);
            if (outcome == RenewalOutcome.UNKNOWN) {
                unknown++;
                firstUnknown = news && firstUnknown == null ? leases.get(i) : firstUnknown;
            }
        }
        answered = true;
        batches.completed(this, unknown, firstUnknown, failure);
    }

    private static RenewalOutcome orUnknown(@Nullable RenewalOutcome outcome) {
        return Objects.requireNonNullElse(outcome, RenewalOutcome.UNKNOWN);
    }
}
