package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ids by which threads own locks. */
@Tag("pure")
final class ThreadIdsTest {
    /** A thread whose class overrides its id with the same value for each instance. */
    private static final class Twin extends Thread {
        Twin(Runnable task) {
            super(task);
        }

        @Override
        @SuppressWarnings("deprecation") // in newer JDKs that method is final, which is the point
        public long getId() {
            return 7;
        }
    }

    private static final class Plain extends Thread {
        Plain(Runnable task) {
            super(task);
        }
    }

    /** A thread's owner id is the JVM's id for it, as shown in thread dumps. */
    @Test
    void current_isTheThreads() {
        assertThat(ThreadIds.current()).isEqualTo(Thread.currentThread().getId());
        CompletableFuture<Long> id = new CompletableFuture<>();
        Thread other = new Plain(() -> id.complete(ThreadIds.current()));
        other.start();
        assertThat(Patience.get(id)).isEqualTo(other.getId()).isNotEqualTo(ThreadIds.current());
    }

    /** Two threads are two owners, whatever their class returns as their ids; and each always has the same id. */
    @Test
    void current_ofThreadsThatReturnTheSameId() {
        List<CompletableFuture<List<Long>>> ids =
                Stream.generate(CompletableFuture<List<Long>>::new).limit(2).toList();
        ids.forEach(id -> new Twin(() -> id.complete(List.of(ThreadIds.current(), ThreadIds.current()))).start());
        List<Long> one = Patience.get(ids.get(0));
        List<Long> other = Patience.get(ids.get(1));
        assertThat(one.get(0)).isEqualTo(one.get(1)).isPositive();
        assertThat(other.get(0)).isEqualTo(other.get(1)).isPositive().isNotEqualTo(one.get(0));
    }
}
