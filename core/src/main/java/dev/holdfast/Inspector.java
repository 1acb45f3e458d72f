package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.SubscriberCount;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Asks Redis what a lock looks like, and forces it open. Nothing here depends on who holds what in this client. */
final class Inspector {
    private static final String TENURE_SUFFIX = ":tenure";
    private static final String LABEL_SUFFIX = ":label";
    private static final String TOKEN_SUFFIX = ":token";
    private static final Pattern HOLD_COUNT = Pattern.compile("\\d{1,9}");
    private static final Pattern TENURE = Pattern.compile("\\d{1,18}");

    private final Engine engine;

    Inspector(Engine engine) {
        this.engine = engine;
    }

    /** All there is to know; who listens is asked for in the same breath, and left out if that has no answer. */
    CompletableFuture<LockInfo> inspect(LockKey lock) {
        CompletableFuture<OptionalInt> listeners = new CompletableFuture<>();
        CompletableFuture<LockInfo> seen = look(lock);
        engine.send(SubscriberCount.of(
                lock.channelWord().bytes(),
                call -> listeners.complete(
                        call.outcome() == Call.Outcome.ANSWERED
                                ? OptionalInt.of(SubscriberCount.number(call))
                                : OptionalInt.empty())));
        return seen.thenCombine(listeners, LockInfo::heardBy);
    }

    /** What the lock itself says. */
    CompletableFuture<LockInfo> look(LockKey lock) {
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
    private <T> CompletableFuture<T> ask(
            LockKey lock, Function<Call.Callback, Call> question, Function<Call, T> reader) {
        engine.refuseIfClosed();
        CompletableFuture<T> answer = new CompletableFuture<>();
        new Question<>(lock, question, reader, answer, engine.now() + engine.commandTimeoutNanos()).ask();
        return answer;
    }

    private final class Question<T> implements Call.Callback {
        private final LockKey lock;
        private final Function<Call.Callback, Call> question;
        private final Function<Call, T> reader;
        private final CompletableFuture<T> answer;
        private final long untilNanos;

        Question(
                LockKey lock,
                Function<Call.Callback, Call> question,
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
        public void completed(Call call) {
            engine.noteOutcome(call);
            switch (call.outcome()) {
                case ANSWERED -> read(call);
                case REFUSED ->
                    engine.refusals().explain(call.error(), lock, "lock '" + lock + "'", answer::completeExceptionally);
                case UNKNOWN -> fail(call);
                case NOT_EXECUTED, NOT_SENT -> engine.outage().await(call, this::ask, untilNanos, () -> fail(call));
            }
        }

        private void read(Call call) {
            try {
                answer.complete(reader.apply(call));
            } catch (RuntimeException e) { // an answer that is none must not keep the caller waiting
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
        Map<String, Integer> counts = new LinkedHashMap<>();
        Map<String, String> labels = new HashMap<>();
        Map<String, Instant> since = new HashMap<>();
        for (int i = 1; i + 1 < seen.size(); i += 2) {
            String field = seen.get(i).toString();
            String value = seen.get(i + 1).toString();
            if (field.endsWith(LABEL_SUFFIX)) {
                labels.put(without(LABEL_SUFFIX, field), value);
            } else if (field.endsWith(TENURE_SUFFIX)) {
                drawnAt(value).ifPresent(at -> since.put(without(TENURE_SUFFIX, field), at));
            } else if (!field.endsWith(TOKEN_SUFFIX)) {
                if (!HOLD_COUNT.matcher(value).matches()) {
                    return Optional.empty();
                }
                counts.put(field, Integer.parseInt(value));
            }
        }
        List<LockHolder> holders = counts.entrySet().stream()
                .map(held -> new LockHolder(
                        held.getKey(),
                        labels.get(clientOf(held.getKey())),
                        held.getValue(),
                        since.get(held.getKey()),
                        LockMode.EXCLUSIVE))
                .toList();
        Duration remaining = seen.get(0) instanceof Long millis && millis >= 0 ? Duration.ofMillis(millis) : null;
        return Optional.of(new LockInfo(name, holders, remaining, OptionalInt.empty()));
    }

    private static Optional<Instant> drawnAt(String tenure) {
        return TENURE.matcher(tenure).matches() ? TenureSequence.drawnAt(Long.parseLong(tenure)) : Optional.empty();
    }

    private static String without(String suffix, String field) {
        return field.substring(0, field.length() - suffix.length());
    }

    /** {@return the client of an owner, whose own id stands behind the last colon} */
    private static String clientOf(String owner) {
        return owner.substring(0, Math.max(0, owner.lastIndexOf(':')));
    }
}
