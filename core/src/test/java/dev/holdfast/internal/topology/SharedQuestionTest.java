package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
final class SharedQuestionTest {
    private final List<CompletableFuture<Boolean>> asked = new ArrayList<>();
    private final SharedQuestion question = new SharedQuestion(this::ask);

    private CompletionStage<Boolean> ask() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    }

    /** The answer to a question that was asked before somebody had it is not for them. */
    @Test
    void next_whileAsked_isAskedAgain() {
        CompletionStage<Boolean> first = question.next();
        CompletionStage<Boolean> second = question.next();
        CompletionStage<Boolean> third = question.next();
        assertThat(asked).hasSize(1);

        asked.get(0).complete(true);

        assertThat(first).isCompletedWithValue(true);
        assertThat(asked).hasSize(2);
        assertThat(second).isNotDone();
        asked.get(1).complete(false);
        assertThat(second).isCompletedWithValue(false);
        assertThat(third).isCompletedWithValue(false);
    }

    /** Whoever has it when it was answered has it asked anew. */
    @Test
    void next_afterTheAnswer_isAskedAgain() {
        question.next();
        asked.get(0).complete(true);

        CompletionStage<Boolean> second = question.next();

        assertThat(asked).hasSize(2);
        assertThat(second).isNotDone();
    }

    /** An answer that comes at once is one. */
    @Test
    void next_answeredAtOnce() {
        SharedQuestion known = new SharedQuestion(() -> CompletableFuture.completedStage(true));
        assertThat(known.next()).isCompletedWithValue(true);
        assertThat(known.next()).isCompletedWithValue(true);
    }

    /** A question that cannot be asked is answered by no, and asked again. */
    @Test
    void next_cannotBeAsked() {
        SharedQuestion failing = new SharedQuestion(() -> {
            asked.add(new CompletableFuture<>());
            throw new IllegalStateException("on purpose");
        });
        assertThat(failing.next()).isCompletedWithValue(false);
        assertThat(failing.next()).isCompletedWithValue(false);
        assertThat(asked).hasSize(2);
    }
}
