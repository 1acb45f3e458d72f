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
    record Request(boolean renewal, long millis, List<Holder> batch, CompletableFuture<List<RenewalOutcome>> answer) {
        void answer(RenewalOutcome outcome) {
            answer.complete(Collections.nCopies(batch.size(), outcome));
        }
    }

    private final Rig rig;
    private final List<Request> requests = new ArrayList<>();

    /** The reply to each request; by default every lease is renewed. */
    Function<Request, CompletionStage<List<RenewalOutcome>>> script = always(RenewalOutcome.RENEWED);

    ScriptedStore(Rig rig) {
        this.rig = rig;
    }

    static Function<Request, CompletionStage<List<RenewalOutcome>>> always(RenewalOutcome outcome) {
        return request -> {
            request.answer(outcome);
            return request.answer();
        };
    }

    /** Leaves each request to be answered by the test, or not at all. */
    static Function<Request, CompletionStage<List<RenewalOutcome>>> later() {
        return Request::answer;
    }

    List<Request> requests() {
        return requests;
    }

    List<Request> renewals() {
        return requests.stream().filter(Request::renewal).toList();
    }

    List<Request> verifications() {
        return requests.stream().filter(request -> !request.renewal()).toList();
    }

    /** {@return the times of the requests, in milliseconds} */
    List<Long> times() {
        return requests.stream().map(Request::millis).toList();
    }

    Request last() {
        return requests.get(requests.size() - 1);
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> renew(List<Holder> batch) {
        return send(true, batch);
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> verify(List<Holder> batch) {
        return send(false, batch);
    }

    private CompletionStage<List<RenewalOutcome>> send(boolean renewal, List<Holder> batch) {
        Request request = new Request(renewal, rig.millis(), batch, new CompletableFuture<>());
        requests.add(request);
        return script.apply(request);
    }
}
