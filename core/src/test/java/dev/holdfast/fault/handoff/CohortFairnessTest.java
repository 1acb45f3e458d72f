package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that could hand a lock off among its own waiters for ever releases it to other clients regularly. */
@Tag("fault")
class CohortFairnessTest {
    private static final String NAME = "orders:42";
    private static final int OWNERS = 32;
    private static final int ACQUISITIONS = 10;
    private static final int BUDGETS = 5;
    private static final Duration BUDGET_ALONE = Duration.ofMillis(300);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Guarded guarded = new Guarded();

    /**
     * The other client acquires the lock repeatedly while the handoffs continue, also if this client may not count
     * subscribers.
     */
    @ParameterizedTest
    @CsvSource({"PLAIN, +@all", "PLAIN, -pubsub", "FENCED, +@all"})
    void otherClient_isServed(LockKinds kind, String right) {
        Holdfast busy = faulty.client(builder -> builder.redisUri(faulty.user("~*", "&*", "+@all", right)));
        List<CompletableFuture<Void>> ends = contend(kind.lock(busy, NAME));
        DistributedLock others = kind.lock(faulty.bystander(), NAME);

        for (int i = 0; i < ACQUISITIONS; i++) {
            Lease lease = get(others.acquireAsync());
            guarded.enter();
            lease.close();
        }

        assertThat(ends).noneMatch(CompletableFuture::isDone);
        stop(ends);
    }

    /**
     * Without other clients the budget is exhausted too, but only as often as callers of tryLock need, which do not
     * listen.
     */
    @Test
    void alone_budgetsEndSeldom() {
        List<CompletableFuture<Void>> ends = contend(faulty.client().getLock(NAME));
        long before = deletions();
        long start = System.nanoTime();

        eventually(() -> deletions() >= before + BUDGETS);

        assertThat(FaultyRedis.since(start)).isGreaterThan(BUDGET_ALONE.multipliedBy(BUDGETS - 1));
        stop(ends);
    }

    /** Makes many owners request the lock again before they release it, so that there is always a waiter. */
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

    @SuppressWarnings("FutureReturnValueIgnored") // a failure of any of them fails the test at the end
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
        ends.forEach(FaultyRedis::get);
        guarded.assertEntered(guarded.entered());
    }

    private long deletions() {
        return String.valueOf(faulty.server().command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_del:calls="))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }
}
