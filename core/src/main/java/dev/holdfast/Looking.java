package dev.holdfast;

import dev.holdfast.redis.Call;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Asks Redis what a lock looks like, and forces it open. Nothing here depends on who holds what in this client. */
final class Looking {
    private static final String TENURE_SUFFIX = ":tenure";

    private final Engine engine;

    Looking(Engine engine) {
        this.engine = engine;
    }

    CompletableFuture<LockInfo> inspect(LockKey lock) {
        return ask(lock, caller -> lock.kind().inspect(lock, caller))
                .thenApply(call -> read(lock.name(), call.elements()));
    }

    CompletableFuture<Boolean> forceUnlock(LockKey lock) {
        return ask(lock, caller -> lock.kind().forceUnlock(lock, caller)).thenApply(call -> {
            engine.noteUnannounced(call, lock);
            return call.number() == 1;
        });
    }

    /** Sends a command whose answer is the result. It is sent once, for to force a lock open twice may hit the next holder. */
    private CompletableFuture<Call> ask(LockKey lock, Function<Call.Caller, Call> question) {
        engine.refuseIfClosed();
        CompletableFuture<Call> answer = new CompletableFuture<>();
        ask(lock, question, answer, engine.now() + engine.commandTimeoutNanos());
        return answer;
    }

    private void ask(
            LockKey lock, Function<Call.Caller, Call> question, CompletableFuture<Call> answer, long untilNanos) {
        engine.send(question.apply(call -> {
            engine.noteOutcome(call);
            switch (call.outcome()) {
                case ANSWERED -> answer.complete(call);
                case REFUSED ->
                    engine.explain(call.error(), lock, "lock '" + lock + "'", answer::completeExceptionally);
                case UNKNOWN -> answer.completeExceptionally(engine.failures().unanswered(lock, call));
                case NOT_SENT ->
                    engine.outage()
                            .await(
                                    () -> ask(lock, question, answer, untilNanos),
                                    untilNanos,
                                    () -> answer.completeExceptionally(
                                            engine.failures().unanswered(lock, call)));
            }
        }));
    }

    /** Reads time left, then fields and values. */
    static LockInfo read(String name, List<Object> seen) {
        Object left = seen.get(0);
        String owner = null;
        int count = 0;
        for (int i = 1; i + 1 < seen.size(); i += 2) {
            String field = seen.get(i).toString();
            if (!field.endsWith(TENURE_SUFFIX)) {
                owner = field;
                count = Integer.parseInt(seen.get(i + 1).toString());
            }
        }
        Optional<Duration> remaining =
                left instanceof Long millis && millis >= 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
        return new LockInfo(name, Optional.ofNullable(owner), count, remaining);
    }
}
