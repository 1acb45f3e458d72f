package dev.holdfast.cli.top;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.found.LockScan;
import dev.holdfast.cli.found.ScannedNode;
import io.lettuce.core.RedisException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Watches the nodes of a Redis, each on a thread of its own: a node that does not answer holds up no other. A node that joins the
 * cluster is watched within a second, and one that has left it is not watched any more.
 */
final class Watch implements AutoCloseable {
    private static final String NAMES = "names";

    private final LockScan scan;
    private final Wanted wanted;
    private final TargetReader reader;
    private final Map<String, NodeWatch> nodes = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private Watch(LockScan scan, Wanted wanted, Holdfast holdfast) {
        this.scan = scan;
        this.wanted = wanted;
        this.reader = new TargetReader(holdfast, scan.commands());
    }

    static Watch start(LockScan scan, Wanted wanted, Holdfast holdfast) {
        Watch watch = new Watch(scan, wanted, holdfast);
        watch.followNodes();
        if (wanted.isSearch()) {
            watch.start("top-nodes", watch::followNodesUntilClosed);
        }
        return watch;
    }

    private void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void followNodesUntilClosed() {
        while (!isClosedWithin(1_000)) {
            try {
                followNodes();
            } catch (RedisException e) {
                // The nodes of before are watched, and show whether they answer.
            }
        }
    }

    /** Names that are given are read by one thread, whichever nodes have them: they share one budget. */
    private void followNodes() {
        List<ScannedNode> current = scan.nodes();
        Set<String> ids = new HashSet<>();
        for (ScannedNode node : wanted.isSearch() ? current : current.subList(0, 1)) {
            String id = wanted.isSearch() ? node.id() : NAMES;
            ids.add(id);
            nodes.computeIfAbsent(id, added -> {
                NodeWatch watch = new NodeWatch(node, wanted, reader, System::nanoTime);
                start("top-" + added, () -> watchUntilGone(added, watch));
                return watch;
            });
        }
        nodes.keySet().retainAll(ids);
    }

    /** The client may be closed while a second is under way. */
    private void watchUntilGone(String id, NodeWatch watch) {
        do {
            try {
                watch.second();
            } catch (IllegalStateException e) {
                if (closed.getCount() > 0) {
                    throw e;
                }
            }
        } while (!isClosedWithin(watch.budget().untilNext().toMillis() + 1) && nodes.get(id) == watch);
    }

    private boolean isClosedWithin(long millis) {
        try {
            return closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** {@return completed when something was read of a node; failed if each has failed} */
    @SuppressWarnings("FutureReturnValueIgnored") // what they fail with, the result does
    CompletableFuture<Void> firstSecond() {
        CompletableFuture<Void> any = new CompletableFuture<>();
        List<CompletableFuture<Void>> each =
                nodes.values().stream().map(NodeWatch::firstSecond).toList();
        each.forEach(one -> one.thenRun(() -> any.complete(null)));
        CompletableFuture.allOf(each.toArray(CompletableFuture[]::new)).whenComplete((all, failure) -> {
            if (failure != null) {
                any.completeExceptionally(failure);
            }
        });
        return any;
    }

    /** {@return completed when each node has been searched once; failed if one cannot be} */
    CompletableFuture<Void> firstRound() {
        return CompletableFuture.allOf(
                nodes.values().stream().map(NodeWatch::firstRound).toArray(CompletableFuture[]::new));
    }

    Snapshot snapshot() {
        return Snapshot.of(
                new ArrayList<>(nodes.values()).stream().map(NodeWatch::view).toList(), Instant.now());
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
