package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.history.Event.Inspected;
import dev.holdfast.campaign.history.Event.Wrote;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.twins.TwinOwner.Grant;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.Faults;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The operations on a twin, the same for each variant: some contention, and for each defect a situation in which it has
 * an effect. Each situation has a lock of its own.
 */
final class TwinRun {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Pattern SCRIPTS_RUN = Pattern.compile("cmdstat_eval:calls=(\\d+)");

    private final Path directory;
    private final RedisServer server;
    private final FaultProxy proxy;
    private final TwinClient a;
    private final TwinClient b;
    private final TwinClient c;
    private final TokenGuard guard = new TokenGuard();

    private TwinRun(Make make, Path directory, RedisServer server, FaultProxy proxy) {
        this.directory = directory;
        this.server = server;
        this.proxy = proxy;
        a = new TwinClient("a", make, proxy.uri(), directory);
        b = new TwinClient("b", make, server.uri(), directory);
        c = new TwinClient("c", make, server.uri(), directory);
    }

    /** {@return the history of a twin of this variant} */
    static History of(Make make, Path directory) throws Exception {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            TwinRun run = new TwinRun(make, directory, server, proxy);
            run.everything();
            return run.history();
        }
    }

    private void everything() throws Exception {
        try {
            triedWhileHeld();
            contended();
            acquisitionSentAgain();
            leaseRunsOut();
            lateRelease();
            releaseBeforeSubscription();
            renewedAndReleased();
        } finally {
            Stream.of(a, b, c).forEach(TwinClient::close);
        }
        try (Journal journal = Journal.open(directory.resolve("server"))) {
            List<String> left = server.keys().stream()
                    .filter(key -> !key.startsWith("tokens:"))
                    .toList();
            journal.write(new Inspected(System.nanoTime(), Inspected.SERVER, left));
        }
    }

    private History history() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return History.read(files.toList());
        }
    }

    /** An owner tries to acquire while another one works, however the threads of {@link #contended} are scheduled. */
    private void triedWhileHeld() throws Exception {
        Work holder = Work.begin(a.owner("contended"));
        holder.awaitGrant();
        TwinOwner other = b.owner("contended");
        workBeside(holder, other, other.tryAcquire());
        holder.end();
    }

    /** Six owners contend for one lock, re-enter it at times, and write to the resource that it guards. */
    private void contended() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Future<?>> done = new ArrayList<>();
        for (TwinClient client : List.of(a, b, c, a, b, c)) {
            TwinOwner owner = client.owner("contended");
            Random random = new Random(done.size());
            done.add(threads.submit(() -> {
                for (int turn = 0; turn < 8; turn++) {
                    turn(client, owner, random.nextBoolean());
                }
                return null;
            }));
        }
        threads.shutdown();
        for (Future<?> each : done) {
            each.get();
        }
    }

    private void turn(TwinClient client, TwinOwner owner, boolean enters) {
        Optional<Grant> granted = owner.acquire();
        if (granted.isEmpty()) {
            return;
        }
        Grant grant = granted.get();
        boolean entered = enters && owner.acquire().isPresent();
        owner.work(grant.op(), Duration.ofMillis(6));
        long since = System.nanoTime();
        long sequence = guard.write(grant.token());
        client.record(
                new Wrote(since, System.nanoTime(), grant.op(), owner.lock(), grant.token(), sequence > 0, sequence));
        if (entered) {
            owner.release();
        }
        owner.release();
    }

    /** The reply to an acquire is lost. After the release, another owner can acquire the lock. */
    private void acquisitionSentAgain() {
        TwinOwner first = a.owner("sent-again");
        proxy.swallowReplyTo("sent-again");
        workAndRelease(first, first.acquire());
        TwinOwner second = b.owner("sent-again");
        workAndRelease(second, second.tryAcquire().or(second::acquire));
    }

    /**
     * A lease runs out while its owner works. After the next owner has acquired the lock, the first one releases what
     * it no longer has.
     */
    private void leaseRunsOut() throws Exception {
        TwinOwner late = a.owner("runs-out");
        Optional<Grant> lost = late.acquire(SHORT, () -> {});
        Work next = Work.begin(b.owner("runs-out"));
        lost.ifPresent(grant -> late.work(grant.op(), next.wholePeriod()));
        next.awaitGrant();
        late.release();
        TwinOwner third = c.owner("runs-out");
        workBeside(next, third, third.tryAcquire());
        next.end();
    }

    /** A release is delayed in the network, and arrives when its owner has the lock again. */
    private void lateRelease() throws Exception {
        TwinOwner owner = a.owner("late");
        owner.acquire();
        Faults dying = proxy.matching(connection -> true);
        dying.holdRequests();
        owner.release();
        Work again = Work.begin(owner);
        again.awaitGrant();
        long before = scriptsRun();
        dying.releaseRequests();
        Eventually.await().until(() -> scriptsRun() > before);
        TwinOwner other = b.owner("late");
        workBeside(again, other, other.tryAcquire());
        again.end();
    }

    /** A lock is released after a waiter has tried, and before it is subscribed. */
    private void releaseBeforeSubscription() {
        TwinOwner first = b.owner("missed");
        TwinOwner second = c.owner("missed");
        first.acquire();
        workAndRelease(second, second.acquire(Duration.ZERO, first::release));
    }

    /** A lock is released after a renewal; the next owner holds it past the time of the next renewal. */
    private void renewedAndReleased() {
        TwinOwner first = a.owner("renewed");
        first.acquire().ifPresent(grant -> {
            first.work(grant.op(), TwinOwner.LEASE.dividedBy(2));
            first.release();
        });
        TwinOwner second = b.owner("renewed");
        second.acquire().ifPresent(grant -> {
            second.work(grant.op(), TwinOwner.LEASE.dividedBy(2));
            second.release();
        });
    }

    private static void workAndRelease(TwinOwner owner, Optional<Grant> granted) {
        granted.ifPresent(grant -> {
            owner.work(grant.op(), Duration.ofMillis(60));
            owner.release();
        });
    }

    /** An owner that was granted the lock while another one works: both consider their holds valid for some time. */
    private static void workBeside(Work work, TwinOwner owner, Optional<Grant> granted) {
        granted.ifPresent(grant -> {
            owner.work(grant.op(), work.wholePeriod());
            owner.release();
        });
    }

    private long scriptsRun() {
        Matcher calls = SCRIPTS_RUN.matcher(String.valueOf(server.command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
