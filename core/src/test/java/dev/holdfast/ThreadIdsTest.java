package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The ids by which threads own locks. */
final class ThreadIdsTest {
    /** A thread whose class says what id it has, and says the same of each. */
    private static final class Twin extends Thread {
        Twin(Runnable task) {
            super(task);
        }

        @Override
        @SuppressWarnings("deprecation") // that of newer JDKs is final, which is the point
        public long getId() {
            return 7;
        }
    }

    private static final class Plain extends Thread {
        Plain(Runnable task) {
            super(task);
        }
    }

    /** A thread owns by the id that the JVM has for it, which people see in thread dumps. */
    @Test
    void current_isTheThreads() {
        assertThat(ThreadIds.current()).isEqualTo(Thread.currentThread().getId());
        CompletableFuture<Long> id = new CompletableFuture<>();
        Thread other = new Plain(() -> id.complete(ThreadIds.current()));
        other.start();
        assertThat(Patience.get(id)).isEqualTo(other.getId()).isNotEqualTo(ThreadIds.current());
    }

    /** Two threads are two owners, whatever their class makes of their ids; and each is the same one each time. */
    @Test
    void current_ofThreadsThatSayTheSame() {
        List<CompletableFuture<List<Long>>> ids =
                Stream.generate(CompletableFuture<List<Long>>::new).limit(2).toList();
        ids.forEach(id -> new Twin(() -> id.complete(List.of(ThreadIds.current(), ThreadIds.current()))).start());
        List<Long> one = Patience.get(ids.get(0));
        List<Long> other = Patience.get(ids.get(1));
        assertThat(one.get(0)).isEqualTo(one.get(1)).isPositive();
        assertThat(other.get(0)).isEqualTo(other.get(1)).isPositive().isNotEqualTo(one.get(0));
    }
}
