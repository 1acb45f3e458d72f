package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.FaultEnded;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.testkit.Direction;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The operations on a twin with a line, the same for each variant: for each defect a situation in which it has an effect.
 * Each situation has a lock of its own.
 */
final class TwinLineRun implements AutoCloseable {
    private static final Duration LONG = Duration.ofMillis(1300);
    private static final Duration SHORT = Duration.ofMillis(600);
    private static final Duration WORK = Duration.ofMillis(50);

    private final LineMake make;
    private final RedisServer server;
    private final FaultProxy proxy;
    private final Journal faults;
    private final TwinClient a;
    private final TwinClient b;
    private final TwinClient c;
    private final List<LineTwin> twins = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int lastFault;

    private TwinLineRun(LineMake make, Path directory, RedisServer server, FaultProxy proxy) {
        this.make = make;
        this.server = server;
        this.proxy = proxy;
        faults = Journal.open(directory.resolve("nemesis"));
        a = new TwinClient("a", Make.RIGHT, proxy.uri(), directory);
        b = new TwinClient("b", Make.RIGHT, server.uri(), directory);
        c = new TwinClient("c", Make.RIGHT, server.uri(), directory);
    }

    /** {@return the history of a twin of this variant} */
    static History of(LineMake make, Path directory) throws Exception {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            try (TwinLineRun run = new TwinLineRun(make, directory, server, proxy)) {
                run.shortLeaseBefore();
                run.lateMessage();
                run.lostMessage();
                run.releasedMeanwhile();
            }
            return history(directory);
        }
    }

    private static History history(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return History.read(files.toList());
        }
    }

    private LineTwin twin(TwinClient client, String name, String lock) {
        LineTwin twin = new LineTwin(client, make, name + ":" + lock, lock);
        twins.add(twin);
        return twin;
    }

    /** The lock is granted by the release of a hold with a short lease, and a third owner wants it after the end of that. */
    private void shortLeaseBefore() throws Exception {
        LineTwin holder = twin(b, "b", "short");
        LineTwin waiter = twin(c, "c", "short");
        LineTwin third = twin(a, "a", "short");
        holder.acquire(SHORT, () -> {});
        Future<?> working = inLine(waiter, "short", () -> workAndRelease(waiter, waiter.acquire(), LONG));
        holder.release();
        Eventually.await().until(() -> waiter.messagesRead() > 0);
        workAndRelease(third, third.acquire(), LONG);
        working.get();
    }

    /**
     * The message of a grant comes when its owner has adopted and released what it was granted, and stands in line
     * again while another one works.
     */
    private void lateMessage() throws Exception {
        LineTwin holder = twin(b, "b", "late");
        LineTwin waiter = twin(a, "a", "late");
        holder.acquire();
        Future<?> first = inLine(waiter, "late", () -> workAndRelease(waiter, waiter.acquire(), WORK));
        Faults subscription = proxy.matching(connection -> connection.commands("SUBSCRIBE") > 0);
        begins(Fault.DELAYED);
        subscription.blackHole(Direction.REPLIES);
        holder.release();
        first.get();
        Op held = holder.acquire().orElseThrow();
        Future<?> second = inLine(waiter, "late", () -> workAndRelease(waiter, waiter.acquire(), LONG));
        subscription.heal();
        ended();
        holder.work(held, new Afterwards(WORK.multipliedBy(4), () -> waiter.messagesRead() > 0));
        holder.release();
        second.get();
    }

    /** The message of a grant is lost. */
    private void lostMessage() throws Exception {
        LineTwin holder = twin(b, "b", "lost");
        LineTwin waiter = twin(a, "a", "lost");
        holder.acquire();
        Future<?> waiting = inLine(waiter, "lost", () -> workAndRelease(waiter, waiter.acquire(), WORK));
        begins(Fault.MESSAGES_LOST);
        proxy.loseMessages(channel -> true);
        long before = subscriptionBytes();
        holder.release();
        Eventually.await().until(() -> subscriptionBytes() > before);
        proxy.heal();
        ended();
        waiting.get();
    }

    /** {@return how many bytes the subscriptions of the client behind the proxy were sent} */
    private long subscriptionBytes() {
        return proxy.connections().stream()
                .filter(connection -> connection.commands("SUBSCRIBE") > 0)
                .mapToLong(connection -> connection.bytes(Direction.REPLIES))
                .sum();
    }

    /** The lock is released when a waiter has found it busy. */
    private void releasedMeanwhile() throws Exception {
        LineTwin holder = twin(b, "b", "meanwhile");
        LineTwin waiter = twin(c, "c", "meanwhile");
        holder.acquire();
        workAndRelease(waiter, waiter.acquire(Duration.ZERO, holder::release), WORK);
    }

    /** Begins an acquisition of this owner, and returns when it stands in line. */
    private Future<?> inLine(LineTwin waiter, String lock, Callable<?> acquisition) {
        Future<?> done = threads.submit(acquisition);
        Eventually.await().until(() -> String.valueOf(server.command("HGET", lock, "line"))
                .startsWith(waiter.name()));
        return done;
    }

    private static Object workAndRelease(LineTwin twin, Optional<Op> granted, Duration work) {
        granted.ifPresent(op -> {
            twin.work(op, work);
            twin.release();
        });
        return granted;
    }

    private void begins(Fault fault) {
        lastFault++;
        faults.write(new FaultBegan(System.nanoTime(), lastFault, fault, "a"));
    }

    private void ended() {
        faults.write(new FaultEnded(System.nanoTime(), lastFault));
    }

    @Override
    public void close() {
        threads.shutdown();
        twins.forEach(LineTwin::close);
        Stream.of(a, b, c).forEach(TwinClient::close);
        faults.close();
    }
}
