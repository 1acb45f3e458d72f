package dev.holdfast;

import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that could pass a lock on among its own for ever lets another client have its turn. */
class CohortFairnessTest {
    private static final String NAME = "orders:42";
    private static final int OWNERS = 32;
    private static final int TURNS = 10;
    private static final Duration LONGEST_UNHEARD = Duration.ofMillis(200);

    @RegisterExtension
    final BadDay day = new BadDay();

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Guarded guarded = new Guarded();

    /** The other one is let in again and again while they go on, also by who may not ask whether there is one. */
    @ParameterizedTest
    @CsvSource({"PLAIN, +@all", "PLAIN, -pubsub", "FENCED, +@all"})
    void otherClient_isLetIn(LockKinds kind, String right) {
        Holdfast busy = day.client(builder -> builder.redisUri(day.user("~*", "&*", "+@all", right)));
        List<CompletableFuture<Void>> ends = contend(kind.lock(busy, NAME));
        DistributedLock others = kind.lock(day.bystander(), NAME);

        for (int turn = 0; turn < TURNS; turn++) {
            Lease lease = get(others.acquireAsync());
            guarded.enter();
            lease.close();
        }

        assertThat(ends).noneMatch(CompletableFuture::isDone);
        stop(ends);
    }

    /** With nobody else in sight turns end, but seldom: no more often than is needed for those who try and do not listen. */
    @Test
    void alone_turnsEndSeldom() {
        List<CompletableFuture<Void>> ends = contend(day.client().getLock(NAME));
        long before = deletions();
        long start = System.nanoTime();

        eventually(() -> deletions() >= before + TURNS);

        assertThat(BadDay.since(start)).isGreaterThan(LONGEST_UNHEARD.multipliedBy(TURNS - 1));
        stop(ends);
    }

    /** Lets many want the lock again before they release it, so that somebody is always in line. */
    private List<CompletableFuture<Void>> contend(DistributedLock lock) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < OWNERS; i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            contend(lock, end);
            ends.add(end);
        }
        eventually(() -> guarded.entered() > OWNERS);
        return ends;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // each fails by way of the end
    private void contend(DistributedLock lock, CompletableFuture<Void> end) {
        lock.acquireAsync()
                .thenCompose(lease -> {
                    guarded.enter();
                    if (stopped.get()) {
                        return lease.releaseAsync().thenRun(() -> end.complete(null));
                    }
                    contend(lock, end);
                    return lease.releaseAsync();
                })
                .exceptionally(failure -> {
                    end.completeExceptionally(failure);
                    return null;
                });
    }

    private void stop(List<CompletableFuture<Void>> ends) {
        stopped.set(true);
        ends.forEach(BadDay::get);
        guarded.assertEntered(guarded.entered());
    }

    private long deletions() {
        return String.valueOf(day.server().command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_del:calls="))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }
}
