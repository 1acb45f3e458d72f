package dev.holdfast;

import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that could pass a lock on among its own for ever lets another client have its turn. */
class TurnsTest {
    private static final String NAME = "orders:42";
    private static final int THREADS = 32;
    private static final int TURNS = 10;

    @RegisterExtension
    final BadDay day = new BadDay();

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Guarded guarded = new Guarded();

    /** The other one is let in again and again while the threads go on, also by who may not ask whether there is one. */
    @ParameterizedTest
    @ValueSource(strings = {"+@all", "-pubsub"})
    void otherClient_isLetIn(String right) {
        Holdfast busy = day.client(builder -> builder.redisUri(day.user("~*", "&*", "+@all", right)));
        List<CompletableFuture<Boolean>> threads = contend(busy);
        DistributedLock others = day.bystander().getLock(NAME);

        for (int turn = 0; turn < TURNS; turn++) {
            Lease lease = get(others.acquireAsync());
            guarded.enter();
            lease.close();
        }

        assertThat(threads).noneMatch(CompletableFuture::isDone);
        stop(threads);
    }

    /** With nobody else in sight no turn ends: the lock is not released before the last one has had it. */
    @Test
    void alone_noTurnEnds() {
        List<CompletableFuture<Boolean>> threads = contend(day.client());
        BadDay.eventually(() -> guarded.entered() > 1_000);

        long before = deletions();
        int entered = guarded.entered();
        BadDay.eventually(() -> guarded.entered() > entered + 2_000);

        // Hardly ever all threads are elsewhere at once.
        assertThat(deletions() - before).isLessThan(200);
        stop(threads);
    }

    private List<CompletableFuture<Boolean>> contend(Holdfast client) {
        DistributedLock lock = client.getLock(NAME);
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(BadDay.elsewhere(() -> {
                while (!stopped.get()) {
                    lock.lock();
                    try {
                        guarded.enter();
                    } finally {
                        lock.unlock();
                    }
                }
                return true;
            }));
        }
        BadDay.eventually(() -> guarded.entered() > THREADS);
        return threads;
    }

    private void stop(List<CompletableFuture<Boolean>> threads) {
        stopped.set(true);
        threads.forEach(BadDay::get);
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
