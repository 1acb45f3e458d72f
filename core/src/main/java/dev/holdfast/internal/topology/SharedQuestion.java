package dev.holdfast.internal.topology;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question that many may have at the same time, and whose answer counts only for those that had it before it was asked.
 * It is in flight once at a time, and those that have it while it is in flight share the next one.
 *
 * <pre>
 *              next                      answered                              answered
 *   NOBODY ------------> ASKED, no next ----------> NOBODY   ASKED, and a next --------> ASKED, no next
 *                                |                              ^
 *                                +------------ next ------------+
 * </pre>
 */
final class SharedQuestion {
    /**
     * @param asked completes with the answer to the question in flight
     * @param next completes with the answer to the one after it; null while nobody has the question
     */
    private record Round(
            CompletableFuture<Boolean> asked, @Nullable CompletableFuture<Boolean> next) {}

    private final Supplier<CompletionStage<Boolean>> question;

    /** Null while the question is not in flight. */
    private final AtomicReference<@Nullable Round> state = new AtomicReference<>();

    /** @param question asks; its answer may come at once, and is no if it fails */
    SharedQuestion(Supplier<CompletionStage<Boolean>> question) {
        this.question = question;
    }

    /** {@return completes with the answer to a question that is asked from now on} */
    CompletionStage<Boolean> next() {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        while (true) {
            Round now = state.get();
            if (now != null && now.next() != null) {
                return now.next();
            }
            Round joined = now == null ? new Round(mine, null) : new Round(now.asked(), mine);
            if (state.compareAndSet(now, joined)) {
                if (now == null) {
                    ask(mine);
                }
                return mine;
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows but the answer
    private void ask(CompletableFuture<Boolean> asked) {
        answer().whenComplete((answer, failure) -> {
            CompletableFuture<Boolean> next = proceed();
            if (next != null) {
                ask(next);
            }
            asked.complete(failure == null && answer);
        });
    }

    /** Whatever happens, there is an answer: otherwise the question would never be asked again. */
    private CompletionStage<Boolean> answer() {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** {@return what is to be asked now; null if nobody has the question} */
    private @Nullable CompletableFuture<Boolean> proceed() {
        while (true) {
            Round now = state.get();
            CompletableFuture<Boolean> next = now == null ? null : now.next();
            if (state.compareAndSet(now, next == null ? null : new Round(next, null))) {
                return next;
            }
        }
    }
}
