package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract of read-write locks, wherever they are stored: readers share, a writer excludes, none of the two starves the other,
 * an owner that writes may read, and nothing is left behind. To run it, extend it, as {@link LockContract}; that one is fulfilled by
 * the write lock.
 *
 * <p>It requires no more than a fair {@link java.util.concurrent.locks.ReentrantReadWriteLock} offers: that the attempt of a reader
 * fails while a writer waits is required of {@code tryLock(0, unit)} alone.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class ReadWriteLockContract {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Stage stage;

    /** For subclasses. */
    protected ReadWriteLockContract() {}

    /** {@return a new fixture; called once for each test} */
    protected abstract ReadWriteFixture newFixture();

    /** The time limit for an event that must happen; less than the lease of a hold, as in {@link LockContract}. */
    protected Duration timeout() {
        return TIMEOUT;
    }

    @BeforeEach
    final void enterStage() {
        stage = new Stage(newFixture(), timeout());
    }

    /** After every test, nothing of its locks is left: no key, no channel, no entry in a client. */
    @AfterEach
    final void leaveStage() {
        try (Stage left = stage) {
            left.awaitNothingLeft();
        }
    }

    /** A thread, and its two locks. */
    private record Member(Actor actor, Lock read, Lock write) {
        void does(Actor.Deed deed) {
            actor.does(deed);
        }

        boolean tries(Lock lock) {
            return actor.does(() -> lock.tryLock(0, TimeUnit.SECONDS));
        }

        CompletableFuture<@Nullable Void> waitsFor(Lock lock) {
            return actor.waitsIn(lock::lock);
        }
    }

    private Member thread(LockClient client) {
        ReadWriteLock lock = ((ReadWriteClient) client).readWriteLock(stage.name());
        return new Member(stage.actor(client), lock.readLock(), lock.writeLock());
    }

    private Member here() {
        return thread(stage.first());
    }

    private Member there() {
        return thread(stage.second());
    }

    /** Threads of one client, and of two, read at the same time; none writes meanwhile. */
    @Test
    final void readers_share() {
        List<Member> readers = List.of(here(), here(), there());
        readers.forEach(reader -> reader.does(reader.read()::lock));
        for (Member writer : List.of(here(), there())) {
            assertThat(writer.tries(writer.write())).isFalse();
        }
        readers.forEach(reader -> reader.does(reader.read()::unlock));
        Member writer = there();
        assertThat(writer.tries(writer.write())).isTrue();
        writer.does(writer.write()::unlock);
    }

    /** While a thread writes, no other one reads or writes. */
    @Test
    final void writer_excludes() {
        Member writer = here();
        writer.does(writer.write()::lock);
        for (Member other : List.of(here(), there())) {
            assertThat(other.tries(other.read())).isFalse();
            assertThat(other.tries(other.write())).isFalse();
        }
        writer.does(writer.write()::unlock);
        Member reader = there();
        assertThat(reader.tries(reader.read())).isTrue();
        reader.does(reader.read()::unlock);
    }

    /** What a writer has left half done is never read, and no write is lost. */
    @Test
    final void read_neverTorn() {
        int[] pair = new int[2];
        List<CompletableFuture<Boolean>> runs = new ArrayList<>();
        for (Member reader : List.of(here(), there(), there())) {
            runs.add(reader.actor().begins(() -> {
                boolean isWhole = true;
                for (int i = 0; i < 100; i++) {
                    reader.read().lock();
                    try {
                        isWhole &= pair[0] == pair[1];
                    } finally {
                        reader.read().unlock();
                    }
                }
                return isWhole;
            }));
        }
        for (Member writer : List.of(here(), there())) {
            runs.add(writer.actor().begins(() -> {
                for (int i = 0; i < 50; i++) {
                    writer.write().lock();
                    try {
                        pair[0]++;
                        Thread.onSpinWait();
                        pair[1]++;
                    } finally {
                        writer.write().unlock();
                    }
                }
                return true;
            }));
        }
        runs.forEach(
                run -> assertThat(run).succeedsWithin(timeout().multipliedBy(6)).isEqualTo(true));
        assertThat(pair).containsExactly(100, 100);
    }

    /** All readers that have waited for a writer read at the same time after it. */
    @Test
    final void readers_comeInTogether() {
        Member writer = here();
        writer.does(writer.write()::lock);
        List<Member> readers = List.of(here(), here(), there());
        CyclicBarrier together = new CyclicBarrier(readers.size());
        List<CompletableFuture<@Nullable Void>> runs = readers.stream()
                .map(reader -> reader.actor().waitsIn(() -> {
                    reader.read().lock();
                    try {
                        together.await(timeout().toMillis(), TimeUnit.MILLISECONDS);
                    } finally {
                        reader.read().unlock();
                    }
                }))
                .toList();
        writer.does(writer.write()::unlock);
        runs.forEach(stage::outcomeOf);
    }

    /** A reader that arrives while a writer waits does not pass it, and reads after it. */
    @Test
    final void reader_doesNotPassAWriter() {
        Member reader = here();
        Member writer = there();
        reader.does(reader.read()::lock);
        CompletableFuture<@Nullable Void> writing = writer.waitsFor(writer.write());
        for (Member other : List.of(here(), there())) {
            stage.await().until(() -> isRefused(other));
        }
        Member later = here();
        CompletableFuture<@Nullable Void> reading = later.waitsFor(later.read());
        reader.does(reader.read()::unlock);
        stage.outcomeOf(writing);
        assertThat(reading).isNotDone();
        writer.does(writer.write()::unlock);
        stage.outcomeOf(reading);
        later.does(later.read()::unlock);
    }

    /** A client may learn of a writer of another one a little later: until then, its readers come in. */
    private static boolean isRefused(Member reader) {
        if (!reader.tries(reader.read())) {
            return true;
        }
        reader.does(reader.read()::unlock);
        return false;
    }

    /** A writer that gives up holds no reader back. */
    @Test
    final void writer_givesUp() {
        Member reader = here();
        Member writer = there();
        Member later = there();
        reader.does(reader.read()::lock);
        CompletableFuture<Boolean> writing =
                writer.actor().waitsBrieflyIn(() -> writer.write().tryLock(1, TimeUnit.SECONDS));
        CompletableFuture<@Nullable Void> reading = later.actor().begins(later.read()::lock);
        assertThat(stage.outcomeOf(writing)).isFalse();
        stage.outcomeOf(reading);
        later.does(later.read()::unlock);
        reader.does(reader.read()::unlock);
    }

    /** A reader enters again at any time, also while a writer waits, and reads until it has unlocked as often. */
    @Test
    final void reader_reenters() {
        Member reader = here();
        Member writer = there();
        reader.does(reader.read()::lock);
        CompletableFuture<@Nullable Void> writing = writer.waitsFor(writer.write());
        reader.does(reader.read()::lock);
        assertThat(reader.tries(reader.read())).isTrue();
        reader.does(reader.read()::unlock);
        reader.does(reader.read()::unlock);
        assertThat(writing).isNotDone();
        reader.does(reader.read()::unlock);
        stage.outcomeOf(writing);
        writer.does(writer.write()::unlock);
    }

    /** A writer may read, and still reads when it has released the write lock: no writer comes between, and other readers do. */
    @Test
    final void writer_goesOnAsReader() {
        Member owner = here();
        Member writer = there();
        Member reader = there();
        owner.does(owner.write()::lock);
        owner.does(owner.read()::lock);
        assertThat(reader.tries(reader.read())).isFalse();
        owner.does(owner.write()::unlock);
        assertThat(writer.tries(writer.write())).isFalse();
        assertThat(reader.tries(reader.read())).isTrue();
        reader.does(reader.read()::unlock);
        owner.does(owner.read()::unlock);
        assertThat(writer.tries(writer.write())).isTrue();
        writer.does(writer.write()::unlock);
    }

    /** A writer that has read in between, and does so no more, leaves the lock free. */
    @Test
    final void writer_hasReadInBetween() {
        Member owner = here();
        Member other = there();
        owner.does(owner.write()::lock);
        owner.does(owner.read()::lock);
        owner.does(owner.read()::unlock);
        assertThat(other.tries(other.read())).isFalse();
        owner.does(owner.write()::unlock);
        assertThat(other.tries(other.write())).isTrue();
        other.does(other.write()::unlock);
    }

    /** A reader does not become a writer. */
    @Test
    final void reader_isNoWriter() {
        Member reader = here();
        reader.does(reader.read()::lock);
        assertThat(reader.actor().does(() -> reader.write().tryLock())).isFalse();
        Member other = there();
        assertThat(other.tries(other.read())).isTrue();
        other.does(other.read()::unlock);
        reader.does(reader.read()::unlock);
    }

    /** Neither lock is unlocked by a thread that does not have it, also if it has the other one. */
    @Test
    final void unlock_byOthers() {
        Member owner = here();
        Stream.of(owner.read(), owner.write()).forEach(lock -> assertThatThrownBy(() -> owner.does(lock::unlock))
                .isInstanceOf(IllegalMonitorStateException.class));
        owner.does(owner.read()::lock);
        for (Member other : List.of(here(), there())) {
            assertThatThrownBy(() -> other.does(other.read()::unlock)).isInstanceOf(IllegalMonitorStateException.class);
        }
        assertThatThrownBy(() -> owner.does(owner.write()::unlock)).isInstanceOf(IllegalMonitorStateException.class);
        Member writer = there();
        assertThat(writer.tries(writer.write())).isFalse();
        owner.does(owner.read()::unlock);
    }
}
