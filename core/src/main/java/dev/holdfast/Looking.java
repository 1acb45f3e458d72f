package dev.holdfast;

import dev.holdfast.redis.Call;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Asks Redis what a lock looks like, and forces it open. Nothing here depends on who holds what in this client. */
final class Looking {
    /** Of the fields beside an owner's: what is kept about its hold. */
    private static final Pattern ABOUT_A_HOLD = Pattern.compile(".*:(tenure|fence)", Pattern.DOTALL);

    private static final Pattern HOLD_COUNT = Pattern.compile("\\d{1,9}");

    private final Engine engine;

    Looking(Engine engine) {
        this.engine = engine;
    }

    CompletableFuture<LockInfo> inspect(LockKey lock) {
        return ask(lock, caller -> lock.kind().inspect(lock, caller), call -> read(lock.name(), call.elements())
                .orElseThrow(
                        () -> engine.failures().wrongType(lock, "lock '" + lock + "'", "hash with other content")));
    }

    CompletableFuture<Boolean> forceUnlock(LockKey lock) {
        return ask(lock, caller -> lock.kind().forceUnlock(lock, caller), call -> {
            engine.refusals().noteUnannounced(call, lock);
            return call.number() == 1;
        });
    }

    /** A command, and how to read its answer. It is sent once, for to force a lock open twice may hit the next holder. */
    private <T> CompletableFuture<T> ask(LockKey lock, Function<Call.Caller, Call> question, Function<Call, T> reader) {
        engine.refuseIfClosed();
        CompletableFuture<T> answer = new CompletableFuture<>();
        new Question<>(lock, question, reader, answer, engine.now() + engine.commandTimeoutNanos()).ask();
        return answer;
    }

    private final class Question<T> implements Call.Caller {
        private final LockKey lock;
        private final Function<Call.Caller, Call> question;
        private final Function<Call, T> reader;
        private final CompletableFuture<T> answer;
        private final long untilNanos;

        Question(
                LockKey lock,
                Function<Call.Caller, Call> question,
                Function<Call, T> reader,
                CompletableFuture<T> answer,
                long untilNanos) {
            this.lock = lock;
            this.question = question;
            this.reader = reader;
            this.answer = answer;
            this.untilNanos = untilNanos;
        }

        void ask() {
            engine.send(question.apply(this));
        }

        @Override
        public void settled(Call call) {
            engine.noteOutcome(call);
            switch (call.outcome()) {
                case ANSWERED -> read(call);
                case REFUSED ->
                    engine.refusals().explain(call.error(), lock, "lock '" + lock + "'", answer::completeExceptionally);
                case UNKNOWN -> fail(call);
                case NOT_SENT -> engine.outage().await(this::ask, untilNanos, () -> fail(call));
            }
        }

        private void read(Call call) {
            try {
                answer.complete(reader.apply(call));
            } catch (LockException e) {
                answer.completeExceptionally(e);
            }
        }

        private void fail(Call call) {
            answer.completeExceptionally(engine.failures().unanswered(lock, call));
        }
    }

    /**
     * Reads time left, then fields and values.
     *
     * @return what they say; empty if the hash is no plain lock's
     */
    static Optional<LockInfo> read(String name, List<Object> seen) {
        Object left = seen.get(0);
        Optional<String> owner = Optional.empty();
        int count = 0;
        for (int i = 1; i + 1 < seen.size(); i += 2) {
            String field = seen.get(i).toString();
            String value = seen.get(i + 1).toString();
            if (!ABOUT_A_HOLD.matcher(field).matches()) {
                if (!HOLD_COUNT.matcher(value).matches()) {
                    return Optional.empty();
                }
                owner = Optional.of(field);
                count = Integer.parseInt(value);
            }
        }
        Optional<Duration> remaining =
                left instanceof Long millis && millis >= 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
        return Optional.of(new LockInfo(name, owner, count, remaining));
    }
}
