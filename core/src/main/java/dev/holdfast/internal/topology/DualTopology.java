package dev.holdfast.internal.topology;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.RedisLink;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The nodes of a client of which only some locks are replicated: those have connections of their own, and so homes of
 * their own at the same servers. A {@code WAIT} blocks its connection until the replicas have confirmed, and is about
 * what was written on that connection. So the other locks are not delayed by it.
 *
 * <p>Which of the two a lock belongs to depends on its name alone, and never changes.
 */
final class DualTopology implements Topology {
    private final Topology unreplicated;
    private final Topology replicated;

    DualTopology(Topology unreplicated, Topology replicated) {
        this.unreplicated = unreplicated;
        this.replicated = replicated;
    }

    private Topology part(LockKey lock) {
        return lock.isReplicated() ? replicated : unreplicated;
    }

    @Override
    public CompletionStage<?> start(Events events) {
        CompletionStage<?> one = unreplicated.start(new EventsOf(false, events));
        CompletionStage<?> other = replicated.start(new EventsOf(true, events));
        CompletableFuture<?> started = both(one, other);
        failWith(one, started);
        failWith(other, started);
        return started;
    }

    @Override
    public Home of(LockKey lock) {
        return part(lock).of(lock);
    }

    @Override
    public boolean isHome(LockKey lock, Home home) {
        return part(lock).isHome(lock, home);
    }

    @Override
    public int group(LockKey lock) {
        return part(lock).group(lock);
    }

    @Override
    public boolean canMove() {
        return unreplicated.canMove() || replicated.canMove();
    }

    @Override
    public boolean mayHaveMoved() {
        return unreplicated.mayHaveMoved() || replicated.mayHaveMoved();
    }

    @Override
    public Collection<RedisHome> homes() {
        return Stream.of(unreplicated, replicated)
                .flatMap(part -> part.homes().stream())
                .toList();
    }

    @Override
    public boolean isConnected() {
        return unreplicated.isConnected() && replicated.isConnected();
    }

    /** The two parts may have the same problem with the same server. */
    @Override
    public List<ConnectionProblem> problems() {
        Map<String, ConnectionProblem> byServer = new LinkedHashMap<>();
        Stream.of(unreplicated, replicated)
                .flatMap(part -> part.problems().stream())
                .forEach(problem -> byServer.merge(
                        problem.server(), problem, (one, other) -> other.since().isBefore(one.since()) ? other : one));
        return List.copyOf(byServer.values());
    }

    @Override
    public boolean hasSlots() {
        return unreplicated.hasSlots();
    }

    @Override
    public CompletionStage<?> stop() {
        return both(unreplicated.stop(), replicated.stop());
    }

    private static CompletableFuture<?> both(CompletionStage<?> one, CompletionStage<?> other) {
        return CompletableFuture.allOf(one.toCompletableFuture(), other.toCompletableFuture());
    }

    /** If one fails at once, its reason is known before the other has failed, too, or has timed out. */
    @SuppressWarnings("FutureReturnValueIgnored") // the outcome is passed on
    private static void failWith(CompletionStage<?> part, CompletableFuture<?> started) {
        part.whenComplete((up, failure) -> {
            if (failure != null) {
                started.completeExceptionally(failure);
            }
        });
    }

    /** What one of the two reports is about its own locks. */
    private record EventsOf(boolean replicated, Events all) implements Events {
        @Override
        public RedisLink.Listener of(RedisHome node) {
            return all.of(node);
        }

        @Override
        public void moved(Predicate<LockKey> locks) {
            all.moved(lock -> lock.isReplicated() == replicated && locks.test(lock));
        }

        @Override
        public boolean holdsAny() {
            return all.holdsAny();
        }
    }
}
