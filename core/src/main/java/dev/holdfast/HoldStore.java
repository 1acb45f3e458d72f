package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.watchdog.LeaseStore;
import dev.holdfast.watchdog.RenewalOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
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
        batch.forEach(Hold::prolongs);
        return ask(
                batch,
                (kind, holds, caller) -> kind.renew(holds, leaseMillis, call -> {
                    holds.forEach(hold -> hold.prolonged(call));
                    caller.settled(call);
                }));
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> verify(List<Hold> batch) {
        return ask(batch, LockKind::verify);
    }

    private CompletionStage<List<RenewalOutcome>> ask(List<Hold> batch, Question question) {
        RenewalOutcome[] outcomes = new RenewalOutcome[batch.size()];
        Arrays.fill(outcomes, RenewalOutcome.UNKNOWN);
        List<LockKind> kinds = kinds(batch);
        AtomicInteger open = new AtomicInteger(kinds.size());
        CompletableFuture<List<RenewalOutcome>> answer = new CompletableFuture<>();
        for (LockKind kind : kinds) {
            List<Hold> holds = ofKind(kind, batch);
            engine.send(question.about(kind, holds, call -> {
                engine.noteOutcome(call);
                read(call, kind, holds, batch, outcomes);
                if (open.decrementAndGet() == 0) {
                    answer.complete(Arrays.asList(outcomes));
                }
            }));
        }
        return answer;
    }

    private static List<LockKind> kinds(List<Hold> batch) {
        List<LockKind> kinds = new ArrayList<>(1);
        for (Hold hold : batch) {
            LockKind kind = hold.lock().kind();
            if (!kinds.contains(kind)) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    private static List<Hold> ofKind(LockKind kind, List<Hold> batch) {
        List<Hold> holds = new ArrayList<>(batch.size());
        for (Hold hold : batch) {
            if (hold.lock().kind() == kind) {
                holds.add(hold);
            }
        }
        return holds;
    }

    /** Writes what was answered about the holds of one kind, which is an element for each, to their places in the batch. */
    private static void read(Call call, LockKind kind, List<Hold> holds, List<Hold> batch, RenewalOutcome[] outcomes) {
        if (call.outcome() == Call.Outcome.REFUSED) {
            log.warn("Redis refused to renew the leases of {} locks: {}", holds.size(), call.error());
        }
        if (call.outcome() != Call.Outcome.ANSWERED) {
            return;
        }
        Iterator<Object> elements = call.elements().iterator();
        for (int place = 0; place < outcomes.length; place++) {
            Hold hold = batch.get(place);
            if (hold.lock().kind() == kind) {
                outcomes[place] = outcome(hold, elements.next());
            }
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
