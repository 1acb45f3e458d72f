package dev.holdfast.watchdog;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way to the store and back. Its identity is what an answer is matched by, its sending time what the
 * answer proves.
 */
final class RenewalBatch<S extends LeaseSubject> {
    private final RenewalBatches<S> rounds;
    private final LeaseRule.Inquiry inquiry;
    private final List<LeaseLife<S>> leases;

    /** Written under the keeper's lock, before it is sent. */
    private long sent;

    private volatile boolean answered;

    /** About these leases, if they still want to be asked about when it is put. */
    RenewalBatch(RenewalBatches<S> rounds, LeaseRule.Inquiry inquiry, List<LeaseLife<S>> leases) {
        this.rounds = rounds;
        this.inquiry = inquiry;
        this.leases = new ArrayList<>(leases);
    }

    boolean renews() {
        return inquiry == LeaseRule.Inquiry.RENEW;
    }

    /** The time before the command was sent. */
    long sent() {
        return sent;
    }

    int size() {
        return leases.size();
    }

    boolean isAnswered() {
        return answered;
    }

    /** Under the keeper's lock: it is sent now, about those that still want it; false when none does. */
    boolean put(long now) {
        sent = now;
        leases.removeIf(lease -> !lease.join(this));
        return !leases.isEmpty();
    }

    /** Asks the store; whatever goes wrong is an answer too. */
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
        rounds.heard(this, unknown, firstUnknown, failure);
    }

    private static RenewalOutcome orUnknown(@Nullable RenewalOutcome outcome) {
        return Objects.requireNonNullElse(outcome, RenewalOutcome.UNKNOWN);
    }
}
