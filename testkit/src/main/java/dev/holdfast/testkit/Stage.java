package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** The setting of one test of the contract: two clients, a lock's name, and as many threads as needed. */
final class Stage implements AutoCloseable {
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final Duration POLL = Duration.ofMillis(2);

    private final Duration timeout;
    private final LockFixture fixture;
    private final LockClient first;
    private final LockClient second;
    private final String name = newName();
    private final List<Actor> actors = new ArrayList<>();

    Stage(LockFixture fixture, Duration timeout) {
        this.fixture = fixture;
        this.timeout = timeout;
        this.first = fixture.newClient();
        this.second = fixture.newClient();
    }

    LockClient first() {
        return first;
    }

    LockClient second() {
        return second;
    }

    /** {@return the name of the lock this test is about} */
    String name() {
        return name;
    }

    /** {@return a new name} */
    static String newName() {
        return "contract:" + ProcessHandle.current().pid() + ":" + COUNTER.incrementAndGet();
    }

    /** {@return a new thread that uses the lock of this test through a client} */
    Actor actor(LockClient client) {
        Actor actor = new Actor(this, client, name);
        actors.add(actor);
        return actor;
    }

    Duration timeout() {
        return timeout;
    }

    ConditionFactory await() {
        return await(timeout);
    }

    static ConditionFactory await(Duration timeout) {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(POLL).atMost(timeout);
    }

    /** Waits for the outcome of a future; throws its RuntimeException, or an AssertionError with any other cause. */
    <T extends @Nullable Object> T outcomeOf(CompletableFuture<T> future) {
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no outcome within " + timeout, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test's own thread was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        }
    }

    /** Releases may still be in flight at the end of a test, so this waits before it fails. */
    void awaitNothingLeft() {
        awaitNothingLeft(timeout, Stream.of(first::residue, second::residue, fixture::residue));
    }

    /** The same for what these find. */
    static void awaitNothingLeft(Duration timeout, Stream<Supplier<List<String>>> residues) {
        List<Supplier<List<String>>> all = residues.toList();
        await(timeout).untilAsserted(() -> assertThat(all.stream().flatMap(residue -> residue.get().stream()))
                .as("residue")
                .isEmpty());
    }

    @Override
    public void close() {
        actors.forEach(Actor::close);
        first.close();
        second.close();
        fixture.close();
    }
}
