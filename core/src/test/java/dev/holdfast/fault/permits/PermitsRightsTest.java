package dev.holdfast.fault.permits;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.fault.permits.PermitsScene.CHANNEL;
import static dev.holdfast.fault.permits.PermitsScene.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.Permits;
import dev.holdfast.Rights;
import dev.holdfast.internal.node.RedisErrors;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A semaphore needs the documented rights and no others, and names each that is missing. */
@Tag("fault")
final class PermitsRightsTest {
    /** Those of the page on configuration that a semaphore needs. */
    private static final List<String> ENOUGH = Rights.of(
            "~holdfast_semaphore:{orders:*",
            "&holdfast__channel:holdfast_semaphore:{orders:*",
            "+time",
            "+pubsub|numsub");

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final PermitsScene scene = new PermitsScene(faulty);

    private static List<String> without(String right) {
        return Rights.without(right, ENOUGH);
    }

    /** Permits are waited for in line, extended, kept busy, inspected and released by force. */
    @Test
    void enough_everythingWorks() {
        DistributedSemaphore semaphore = faulty.restricted(ENOUGH).getSemaphore(NAME, 2);
        Permits held = scene.others(2).acquire(2);
        CompletableFuture<Permits> waiting = scene.join(semaphore, 2, 1);
        held.close();
        Permits granted = get(waiting);
        granted.extend(FaultyRedis.LONG.multipliedBy(2));
        granted.closeAfter(Duration.ofMillis(10));
        Permits forced = semaphore.acquire(2);
        assertThat(semaphore.availablePermits()).isZero();
        assertThat(semaphore.forceRelease(semaphore.inspect().holders().get(0).owner()))
                .isTrue();
        assertThatThrownBy(forced::close).isInstanceOf(LeaseLostException.class);
        assertThat(String.valueOf(faulty.server().command("ACL", "LOG"))).doesNotContain("context, lua");
    }

    /** Each missing command is named, by the first call that needs it; without the time, too, nothing is granted. */
    @ParameterizedTest
    @ValueSource(strings = {"evalsha", "time", "hmget", "hset", "pttl", "pexpire"})
    void commandMissing_namesIt(String command) {
        Permits others = scene.others(3).acquire(1, Duration.ofSeconds(10)); // whose key is to live longer
        DistributedSemaphore semaphore =
                faulty.restricted(without("+" + command)).getSemaphore(NAME, 3);
        assertThatThrownBy(() -> semaphore.acquire())
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant", "+" + command);
        assertThatThrownBy(() -> semaphore.tryAcquire())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("+" + command);
        scene.assertHeld(others);
        faulty.user(ENOUGH.toArray(String[]::new));
        semaphore.acquire(2).close();
        others.close();
    }

    /** A forbidden key is named as a pattern to grant. */
    @Test
    void keyMissing_namesIt() {
        DistributedSemaphore semaphore = faulty.restricted(ENOUGH).getSemaphore("invoices:1", 2);
        assertThatThrownBy(() -> semaphore.acquire())
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll("grant", "~holdfast_semaphore:{invoices:1}");
    }

    /** A user that may not subscribe cannot wait; it can acquire what is free. */
    @Test
    void subscribeMissing_waitersFail() {
        DistributedSemaphore semaphore =
                faulty.restricted(without("+subscribe")).getSemaphore(NAME, 2);
        Permits held = scene.others(2).acquire(2);
        assertThatThrownBy(() -> get(semaphore.acquireAsync()))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant", "+subscribe");
        held.close();
        semaphore.acquire(2).close();
    }

    /** A client that lacks a right of the line waits for releases after which nobody is in line, and says so once. */
    @ParameterizedTest
    @ValueSource(strings = {"+pubsub|numsub", "&holdfast__channel:holdfast_semaphore:{orders:*"})
    void rightOfTheLineMissing_waitsWithout(String right) {
        List<String> rights = without(right);
        if (right.startsWith("&")) {
            rights.add("&" + CHANNEL);
        }
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            Holdfast client = faulty.restricted(rights);
            DistributedSemaphore semaphore = client.getSemaphore(NAME, 2);
            for (int twice = 0; twice < 2; twice++) {
                Permits held = scene.others(2).acquire(2);
                CompletableFuture<Permits> waiting = semaphore.acquireAsync();
                faulty.awaitWaiting(client, 1);
                CompletableFuture<Permits> inLine = scene.join(scene.others(2), 2, 1);
                assertThat(scene.seen().line()).noneMatch(request -> request.permits() == 1);
                held.close();
                Permits first = get(inLine);
                assertThat(waiting).isNotDone();
                first.close();
                get(waiting).close();
                eventually(() -> scene.seen().holders().isEmpty());
            }
            warnings = captured.of(RedisErrors.class);
        }
        assertThat(warnings).singleElement().asString().contains(NAME, "join no line of clients");
    }
}
