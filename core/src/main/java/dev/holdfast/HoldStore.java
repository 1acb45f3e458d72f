package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.watchdog.LeaseStore;
import dev.holdfast.watchdog.RenewalOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews and verifies holds in Redis: many at a time, one command for each kind of lock among them. */
final class HoldStore implements LeaseStore<Hold> {
    private static final Logger log = LoggerFactory.getLogger(HoldStore.class);

    /** Makes the command for the holds of one kind. */
    private interface Question {
        Call about(LockKind kind, List<Hold> holds, Call.Caller caller);
    }

    private final Engine engine;
    private final long leaseMillis;

    HoldStore(Engine engine, long leaseMillis) {
        this.engine = engine;
        this.leaseMillis = leaseMillis;
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> renew(List<Hold> batch) {
        return ask(batch, (kind, holds, caller) -> kind.renew(holds, leaseMillis, caller));
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> verify(List<Hold> batch) {
        return ask(batch, LockKind::verify);
    }

    private CompletionStage<List<RenewalOutcome>> ask(List<Hold> batch, Question question) {
        Map<LockKind, List<Integer>> places = new HashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            places.computeIfAbsent(batch.get(i).lock().kind(), kind -> new ArrayList<>())
                    .add(i);
        }
        List<RenewalOutcome> outcomes = new ArrayList<>(Collections.nCopies(batch.size(), RenewalOutcome.UNKNOWN));
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        places.forEach((kind, indices) -> {
            CompletableFuture<Void> answered = new CompletableFuture<>();
            answers.add(answered);
            List<Hold> holds = indices.stream().map(batch::get).toList();
            engine.send(question.about(kind, holds, call -> {
                engine.noteOutcome(call);
                read(call, holds, indices, outcomes);
                answered.complete(null);
            }));
        });
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> outcomes);
    }

    private static void read(Call call, List<Hold> holds, List<Integer> indices, List<RenewalOutcome> outcomes) {
        if (call.outcome() == Call.Outcome.REFUSED) {
            log.warn("Redis refused to renew the leases of {} locks: {}", holds.size(), call.error());
        }
        if (call.outcome() != Call.Outcome.ANSWERED) {
            return;
        }
        List<Object> elements = call.elements();
        for (int i = 0; i < holds.size(); i++) {
            outcomes.set(indices.get(i), outcome(holds.get(i), elements.get(i)));
        }
    }

    private static RenewalOutcome outcome(Hold hold, Object element) {
        return switch (LockAnswer.read(element, hold.tenure()).kind()) {
            case HELD -> RenewalOutcome.RENEWED;
            case BUSY -> lost(hold, LossReason.TAKEN);
            case GONE, LATE -> lost(hold, LossReason.GONE);
            case REFUSED -> {
                log.warn("{} cannot be renewed: {}", hold, element);
                yield RenewalOutcome.UNKNOWN;
            }
            case UNKNOWN, NOT_SENT -> RenewalOutcome.UNKNOWN;
        };
    }

    private static RenewalOutcome lost(Hold hold, LossReason reason) {
        hold.learnt(reason);
        return RenewalOutcome.LOST;
    }
}
