package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.FaultEnded;
import dev.holdfast.campaign.history.Event.Inspected;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.ProxiedConnection;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * A failover of a master with one replica, the same for each variant of a twin: for each defect a situation in which it
 * has an effect. Each situation has a lock of its own. The replica lacks what the master has written last, since nothing
 * passed between them although they were connected. The master does not know that it was replaced, is stopped, and
 * continues when the clients have the new one.
 */
final class HomeRun implements AutoCloseable {
    /** Longer than a loss may remain undetected, and longer than it may take until a release is repeated. */
    private static final Duration LONG = Duration.ofMillis(1700);

    /** Longer than a reply may be on its way. */
    private static final Duration STOPPED = Duration.ofMillis(800);

    /**
     * The lease of a lock that is still held at the new master if its release is not repeated: longer than the failover
     * and the limit for a waiter together.
     */
    private static final Duration LASTING = HomeTwin.LEASE.multipliedBy(2);

    private static final Duration WORK = Duration.ofMillis(300);

    /** The locks of which the new master may lack what was written last, since they are not replicated. */
    private static final List<String> LOST = List.of("granted", "released", "handed-off", "silent");

    private final HomeMake make;
    private final RedisServer former;
    private final RedisServer next;
    private final FaultProxy replication;
    private final Journal faults;
    private final TwinClient a;
    private final TwinClient b;
    private final List<HomeTwin> twins = new ArrayList<>();
    private final List<Future<?>> working = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private HomeRun(HomeMake make, Path directory, RedisServer former, RedisServer next) {
        this.make = make;
        this.former = former;
        this.next = next;
        replication = FaultProxy.inFrontOf(former);
        faults = Journal.open(directory.resolve("nemesis"));
        a = new TwinClient("a", Make.RIGHT, former.uri(), directory);
        b = new TwinClient("b", Make.RIGHT, former.uri(), directory);
    }

    /** {@return the history of a twin of this variant} */
    static History of(HomeMake make, Path directory) throws Exception {
        try (RedisServer former = RedisServer.builder().start();
                RedisServer next = RedisServer.builder().start()) {
            try (HomeRun run = new HomeRun(make, directory, former, next)) {
                run.failOver();
            }
            return history(directory);
        }
    }

    private static History history(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return History.read(files.toList());
        }
    }

    private void failOver() throws Exception {
        next.command("REPLICAOF", former.host(), Integer.toString(replication.port()));
        Eventually.await().until(() -> next.info("master_link_status").equals("up"));
        HomeTwin granted = twin(a, "granted", HomeTwin.LEASE);
        HomeTwin released = twin(a, "released", LASTING);
        HomeTwin handedOff = twin(a, "handed-off", LASTING);
        HomeTwin silent = twin(a, "silent", HomeTwin.LEASE);
        HomeTwin replicated = replicatedTwin(a, "replicated");
        List<HomeTwin> others = Stream.concat(LOST.stream(), Stream.of("replicated"))
                .map(lock -> twin(b, lock, HomeTwin.LEASE))
                .toList();
        released.acquire();
        handedOff.acquire();
        Eventually.await().until(this::isAcknowledged);

        long began = System.nanoTime();
        faults.write(new FaultBegan(began, 1, Fault.MASTER_REPLACED, Inspected.SERVER));
        replication.matching(ProxiedConnection::isReplication).blackHole(Direction.REPLIES);
        Optional<Op> believed = replicated.acquire();
        Op lacking = granted.acquire().orElseThrow();
        released.release();
        Op present = handedOff.handOff();
        next.command("REPLICAOF", "NO", "ONE");
        former.pause();
        begin(() -> workAndRelease(silent, silent.acquire(), WORK));
        Eventually.await().until(silent::hasAsked);
        twins.forEach(twin -> twin.moveTo(next.uri()));
        long ended = System.nanoTime();
        LOST.forEach(lock -> faults.write(new DataLost(began, ended, lock, false, false)));
        faults.write(new FaultEnded(ended, 1));

        begin(() -> granted.work(lacking, HomeTwin.LEASE));
        begin(() -> workAndRelease(handedOff, Optional.of(present), WORK));
        begin(() -> workAndRelease(others.get(0), others.get(0).acquire(), LONG));
        begin(() -> workAndRelease(others.get(1), others.get(1).acquire(), WORK));
        begin(() -> workAndRelease(others.get(2), others.get(2).acquire(), WORK));
        begin(() -> workAndRelease(replicated, believed, WORK));
        begin(() -> workAndRelease(others.get(4), others.get(4).acquire(), WORK));
        continueLater(others.get(3), silent);
        for (Future<?> each : working) {
            each.get();
        }
    }

    /** {@return whether the replica has told the master that it has all that was written} */
    private boolean isAcknowledged() {
        return former.info("slave0").contains("offset=" + former.info("master_repl_offset") + ",");
    }

    /** The former master continues while an owner at the new one works, and replies to what it had received. */
    private void continueLater(HomeTwin holder, HomeTwin waiter) {
        Op op = holder.acquire().orElseThrow();
        holder.work(op, STOPPED);
        former.resume();
        holder.work(op, new Afterwards(WORK, waiter::isAnswered));
        holder.release();
    }

    private HomeTwin twin(TwinClient client, String lock, Duration lease) {
        return add(new HomeTwin(client, make, lock, lease, false, former.uri()));
    }

    private HomeTwin replicatedTwin(TwinClient client, String lock) {
        return add(new HomeTwin(client, make, lock, HomeTwin.LEASE, true, former.uri()));
    }

    private HomeTwin add(HomeTwin twin) {
        twins.add(twin);
        return twin;
    }

    private void begin(Runnable work) {
        working.add(threads.submit(work));
    }

    private static void workAndRelease(HomeTwin twin, Optional<Op> granted, Duration work) {
        granted.ifPresent(op -> {
            twin.work(op, work);
            twin.release();
        });
    }

    @Override
    public void close() {
        threads.shutdown();
        twins.forEach(HomeTwin::close);
        Stream.of(a, b).forEach(TwinClient::close);
        replication.close();
        faults.close();
    }
}
