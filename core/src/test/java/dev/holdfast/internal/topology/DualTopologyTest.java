package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.LockException;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.RedisLink;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The two sets of nodes of a client of which only some locks are replicated. */
@Tag("pure")
final class DualTopologyTest {
    private final CompletableFuture<String> one = new CompletableFuture<>();
    private final CompletableFuture<String> other = new CompletableFuture<>();
    private final CompletableFuture<?> started = new DualTopology(new Part(one), new Part(other))
            .start(new NoEvents())
            .toCompletableFuture();

    /** Both are needed. */
    @Test
    void start_awaitsBoth() {
        one.complete("up");
        assertThat(started).isNotDone();
        other.complete("up");
        assertThat(started).isCompleted();
    }

    /** If one fails, its reason is not hidden behind the timeout of the other. */
    @Test
    void start_oneFails() {
        LockException why = new LockException("refused", null);
        other.completeExceptionally(why);
        assertThat(started).isCompletedExceptionally();
        assertThatThrownBy(started::join).hasCause(why);
        assertThat(one).isNotDone();
    }

    /** Starts with this stage. */
    private record Part(CompletableFuture<String> starting) implements Topology {
        @Override
        public CompletionStage<?> start(Events events) {
            return starting;
        }

        @Override
        public Collection<RedisHome> homes() {
            return List.of();
        }

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public List<ConnectionProblem> problems() {
            return List.of();
        }

        @Override
        public CompletionStage<?> stop() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public Home of(LockKey lock) {
            throw new AssertionError("no lock is used");
        }
    }

    private static final class NoEvents implements Topology.Events {
        @Override
        public RedisLink.Listener of(RedisHome node) {
            throw new AssertionError("there is no node");
        }

        @Override
        public void moved(Predicate<LockKey> locks) {
            throw new AssertionError("there is no lock");
        }

        @Override
        public boolean holdsAny() {
            return false;
        }
    }
}
