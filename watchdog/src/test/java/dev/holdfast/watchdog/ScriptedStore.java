package dev.holdfast.watchdog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A store with scripted replies that records its requests. */
final class ScriptedStore implements LeaseStore<Holder> {
    /** One batch that was requested. */
    record Asked(boolean renewal, long millis, List<Holder> batch, CompletableFuture<List<RenewalOutcome>> answer) {
        void answer(RenewalOutcome outcome) {
            answer.complete(Collections.nCopies(batch.size(), outcome));
        }
    }

    private final Rig rig;
    private final List<Asked> asked = new ArrayList<>();

    /** The reply to each request; by default every lease is renewed. */
    Function<Asked, CompletionStage<List<RenewalOutcome>>> script = always(RenewalOutcome.RENEWED);

    ScriptedStore(Rig rig) {
        this.rig = rig;
    }

    static Function<Asked, CompletionStage<List<RenewalOutcome>>> always(RenewalOutcome outcome) {
        return question -> {
            question.answer(outcome);
            return question.answer();
        };
    }

    /** Leaves each request to be answered by the test, or not at all. */
    static Function<Asked, CompletionStage<List<RenewalOutcome>>> later() {
        return Asked::answer;
    }

    List<Asked> asked() {
        return asked;
    }

    List<Asked> renewals() {
        return asked.stream().filter(Asked::renewal).toList();
    }

    List<Asked> verifications() {
        return asked.stream().filter(question -> !question.renewal()).toList();
    }

    /** {@return the times of the requests, in milliseconds} */
    List<Long> times() {
        return asked.stream().map(Asked::millis).toList();
    }

    Asked last() {
        return asked.get(asked.size() - 1);
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> renew(List<Holder> batch) {
        return ask(true, batch);
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> verify(List<Holder> batch) {
        return ask(false, batch);
    }

    private CompletionStage<List<RenewalOutcome>> ask(boolean renewal, List<Holder> batch) {
        Asked question = new Asked(renewal, rig.millis(), batch, new CompletableFuture<>());
        asked.add(question);
        return script.apply(question);
    }
}
