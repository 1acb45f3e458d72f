package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Semaphores: what callers of several clients see, beside the contract of all semaphores ({@link HoldfastSemaphoreContractTest}). */
@Tag("client")
@Tag("driver")
final class SemaphoreTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.client();
    private final Holdfast rival = redis.rival();

    private DistributedSemaphore semaphore(int permits) {
        return client.getSemaphore(redis.name(), permits);
    }

    private DistributedSemaphore rivals(int permits) {
        return rival.getSemaphore(redis.name(), permits);
    }

    private static Permits held(Optional<Permits> granted) {
        return granted.orElseThrow(() -> new AssertionError("not granted"));
    }

    /** Waits until so many requests are in line, of all clients. */
    private void awaitInLine(int requests) {
        Patience.await().until(() -> rivals(1).inspect().line().size() == requests);
    }

    // --- The limit.

    /** So many permits are granted as there are, over all clients; then none, until one is closed. */
    @Test
    void tryAcquire_upToTheLimit() {
        Permits one = held(semaphore(3).tryAcquire());
        Permits two = held(rivals(3).tryAcquire(2));
        assertThat(semaphore(3).tryAcquire()).isEmpty();
        assertThat(rivals(3).tryAcquire(3)).isEmpty();
        assertThat(semaphore(3).availablePermits()).isZero();
        one.close();
        assertThat(Patience.get(rivals(3).availablePermitsAsync())).isEqualTo(1);
        assertThat(semaphore(3).tryAcquire(2)).isEmpty();
        Permits third = held(semaphore(3).tryAcquire());
        two.close();
        third.close();
        assertThat(semaphore(3).availablePermits()).isEqualTo(3);
    }

    /** Permits that are requested together are one hold. */
    @Test
    void permits_areOneHold() {
        Permits three = semaphore(4).acquire(3);
        assertThat(three.permits()).isEqualTo(3);
        assertThat(three.name()).isEqualTo(redis.name());
        assertThat(three.isValid()).isTrue();
        assertThat(client.stats().holds()).isEqualTo(1);
        assertThatThrownBy(three::token).isInstanceOf(UnsupportedOperationException.class);
        three.close();
        three.close();
        assertThat(three.isValid()).isFalse();
        assertThat(redis.keys()).isEmpty();
    }

    /** A number of permits that cannot be had is refused at once, and so is one of a semaphore. */
    @Test
    void numbers_areChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> semaphore(0));
        assertThatIllegalArgumentException().isThrownBy(() -> semaphore(1_000_001));
        assertThatIllegalArgumentException().isThrownBy(() -> client.getSemaphore(" ", 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> semaphore(2).acquire(3).close());
        assertThatIllegalArgumentException().isThrownBy(() -> semaphore(2).tryAcquire(0));
        assertThatIllegalArgumentException().isThrownBy(() -> semaphore(2).acquireAsync(-1));
        assertThat(semaphore(1_000_000).permits()).isEqualTo(1_000_000);
    }

    /** A semaphore, and a lock of its name, are different things. */
    @Test
    void name_ofALock_isAnother() {
        try (Lease lock = redis.lock().acquire();
                Permits one = semaphore(1).acquire()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(one.isValid()).isTrue();
            assertThat(semaphore(1).tryAcquire()).isEmpty();
        }
    }

    // --- Waiting.

    /** A caller that waits is granted the permits that are closed, whichever client has closed them. */
    @Test
    void acquire_waits() {
        for (DistributedSemaphore holder : List.of(semaphore(2), rivals(2))) {
            Permits both = holder.acquire(2);
            CompletableFuture<Permits> waiting = semaphore(2).acquireAsync();
            CompletableFuture<Permits> other = rivals(2).acquireAsync();
            awaitInLine(2);
            assertThat(waiting).isNotDone();
            both.close();
            Permits one = Patience.get(waiting);
            Permits two = Patience.get(other);
            assertThat(List.of(one.number(), two.number())).containsExactlyInAnyOrder(0, 1);
            one.close();
            two.close();
        }
    }

    /** Nobody passes a request that waits, also if it wants more than is free. */
    @Test
    void tryAcquire_doesNotPassTheLine() throws Exception {
        Permits one = semaphore(3).acquire();
        CompletableFuture<Permits> all = rivals(3).acquireAsync(3);
        awaitInLine(1);
        assertThat(semaphore(3).tryAcquire()).isEmpty();
        assertThat(semaphore(3).tryAcquire(1, Duration.ofMillis(300))).isEmpty();
        assertThat(semaphore(3).availablePermits()).isEqualTo(2);
        one.close();
        Patience.get(all).close();
        held(semaphore(3).tryAcquire()).close();
    }

    /** A wait ends in time, and leaves no place in line. */
    @Test
    void tryAcquire_waitIsOver() throws Exception {
        Permits one = semaphore(1).acquire();
        assertThat(rivals(1).tryAcquire(1, Duration.ofMillis(300))).isEmpty();
        assertThat(Patience.get(rivals(1).tryAcquireAsync(1, Duration.ofMillis(300))))
                .isEmpty();
        assertThat(rivals(1).tryAcquire(1, Duration.ZERO)).isEmpty();
        awaitInLine(0);
        one.close();
        held(rivals(1).tryAcquire(1, MINUTE)).close();
    }

    /** An interrupt ends an interruptible wait, and no other one. */
    @Test
    void interrupt() {
        Permits one = semaphore(1).acquire();
        Worker interrupted = redis.worker();
        CompletableFuture<?> ended =
                interrupted.begins(() -> assertThatThrownBy(() -> rivals(1).acquireInterruptibly())
                        .isInstanceOf(InterruptedException.class)
                        .hasMessageContaining("semaphore '" + redis.name()));
        awaitInLine(1);
        interrupted.thread().interrupt();
        Patience.get(ended);
        Worker deaf = redis.worker();
        CompletableFuture<?> granted = deaf.begins(() -> {
            Permits mine = rivals(1).acquire();
            assertThat(Thread.interrupted()).isTrue();
            mine.close();
        });
        awaitInLine(1);
        deaf.thread().interrupt();
        one.close();
        Patience.get(granted);
    }

    // --- Leases.

    /** Permits are renewed for as long as they are held. */
    @Test
    void watched_isRenewed() {
        Holdfast brisk = redis.briskClient();
        Permits one = brisk.getSemaphore(redis.name(), 1).acquire();
        Patience.await().until(() -> brisk.stats().renewals() >= 3);
        assertThat(one.isValid()).isTrue();
        assertThat(semaphore(1).tryAcquire()).isEmpty();
        one.close();
    }

    /** An explicit lease ends by itself, and the permits go to the first in line; a late close says that they were lost. */
    @Test
    void explicitLease_ends() {
        Permits brief = semaphore(2).acquire(2, Duration.ofMillis(300));
        Permits next = rivals(2).acquire(2);
        assertThat(next.isValid()).isTrue();
        assertThatThrownBy(brief::close).isInstanceOf(LeaseLostException.class);
        assertThat(rivals(2).inspect().held()).isEqualTo(2);
        next.close();
    }

    /** A lease can be extended. */
    @Test
    void extend() {
        Permits brief = semaphore(1).acquire(1, Duration.ofSeconds(5));
        brief.extend(MINUTE);
        assertThat(brief.remaining()).isGreaterThan(Duration.ofSeconds(30));
        assertThat(rivals(1).inspect().holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.remainingLease()).isGreaterThan(Duration.ofSeconds(30)));
        brief.close();
    }

    /** Permits that are kept busy after their close are free when the delay is over, and go to the first in line. */
    @Test
    void closeAfter() {
        Permits one = semaphore(1).acquire();
        CompletableFuture<Permits> waiting = rivals(1).acquireAsync();
        awaitInLine(1);
        one.closeAfter(Duration.ofMillis(400));
        assertThat(semaphore(1).tryAcquire()).isEmpty();
        assertThat(waiting).isNotDone();
        Patience.get(waiting).close();
    }

    /** The permits of a client that is closed with them come back when their lease has ended. */
    @Test
    void closedClient_permitsComeBack() {
        Holdfast dying = redis.connect(SharedRedis::brisk);
        Permits lost = dying.getSemaphore(redis.name(), 2).acquire(2);
        CompletableFuture<LeaseLoss> loss = lost.lost().toCompletableFuture();
        dying.close();
        assertThat(Patience.get(loss).reason()).isEqualTo(LossReason.CLOSED);
        semaphore(2).acquire(2).close();
    }

    // --- Around a body.

    /** A body runs with a permit, which is released whatever it does. */
    @Test
    void runPermitted() throws Exception {
        semaphore(1).runPermitted(() -> assertThat(rivals(1).tryAcquire()).isEmpty());
        assertThat(semaphore(1).callPermitted(() -> rivals(1).availablePermits()))
                .isZero();
        assertThatThrownBy(() -> semaphore(1).runPermitted(() -> {
                    throw new UnsupportedOperationException("body");
                }))
                .hasMessage("body");
        assertThat(rivals(1).availablePermits()).isEqualTo(1);
    }

    // --- Inspecting.

    /** Who holds how many, with which number, and who waits. */
    @Test
    void inspect() {
        Holdfast labelled = redis.client(settings -> settings.label("billing 7"));
        Permits two = labelled.getSemaphore(redis.name(), 3).acquire(2);
        CompletableFuture<Permits> waiting = semaphore(3).acquireAsync(3);
        awaitInLine(1);
        SemaphoreInfo seen = Patience.get(rivals(3).inspectAsync());
        assertThat(seen.name()).isEqualTo(redis.name());
        assertThat(seen.limit()).isEqualTo(OptionalInt.of(3));
        assertThat(seen.held()).isEqualTo(2);
        assertThat(seen.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).startsWith(labelled.clientId() + ":");
            assertThat(holder.label()).contains("billing 7");
            assertThat(holder.permits()).isEqualTo(2);
            assertThat(holder.number()).isEqualTo(two.number());
            assertThat(holder.since()).isPresent();
            assertThat(holder.remainingLease()).isPositive();
        });
        assertThat(seen.line()).singleElement().satisfies(request -> {
            assertThat(request.owner()).startsWith(client.clientId() + ":");
            assertThat(request.label()).isEmpty();
            assertThat(request.permits()).isEqualTo(3);
            assertThat(request.limit()).isEqualTo(3);
        });
        two.close();
        Patience.get(waiting).close();
        assertThat(rivals(3).inspect())
                .isEqualTo(SemaphoreInfo.of(redis.name(), OptionalInt.empty(), List.of(), List.of()));
    }

    /** An operator releases the permits of an owner, which learns of that; they go to the first in line. */
    @Test
    void forceRelease() {
        Holdfast brisk = redis.briskClient();
        Permits stuck = brisk.getSemaphore(redis.name(), 1).acquire();
        CompletableFuture<Permits> waiting = semaphore(1).acquireAsync();
        awaitInLine(1);
        String owner = rivals(1).inspect().holders().get(0).owner();
        assertThat(rivals(1).forceRelease(owner)).isTrue();
        Permits next = Patience.get(waiting);
        assertThat(Patience.get(rivals(1).forceReleaseAsync(owner))).isFalse();
        assertThat(rivals(1).forceRelease("nobody")).isFalse();
        assertThat(Patience.get(stuck.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.GONE);
        assertThatThrownBy(stuck::close).isInstanceOf(LeaseLostException.class);
        next.close();
    }

    /** Permits whose lease has ended are not released by force. */
    @Test
    void forceRelease_ended() {
        Permits other = rivals(2).acquire();
        AtomicReference<Permits> brief = new AtomicReference<>();
        // Until one is seen before it has ended.
        String owner = Patience.await()
                .until(
                        () -> {
                            brief.set(semaphore(2).acquire(1, Duration.ofMillis(50)));
                            return ownerOf(rivals(2).inspect());
                        },
                        Optional::isPresent)
                .orElseThrow();
        Patience.await().until(() -> rivals(2).inspect().held() == 1);
        assertThat(rivals(2).forceRelease(owner)).isFalse();
        assertThat(brief.get().isValid()).isFalse();
        other.close();
    }

    private Optional<String> ownerOf(SemaphoreInfo seen) {
        return seen.holders().stream()
                .map(SemaphoreInfo.Holder::owner)
                .filter(holder -> holder.startsWith(client.clientId()))
                .findFirst();
    }

    /** A delayed close tells the first in line alone, however many wait. */
    @Test
    void closeAfter_tellsTheFirstInLine() {
        List<Holdfast> clients = new ArrayList<>();
        List<CompletableFuture<Permits>> waiting = new ArrayList<>();
        Permits one = semaphore(1).acquire();
        for (int i = 0; i < 8; i++) {
            clients.add(redis.client(settings -> settings));
            waiting.add(clients.get(i).getSemaphore(redis.name(), 1).acquireAsync());
            awaitInLine(i + 1);
        }
        redis.server().command("CONFIG", "RESETSTAT");
        one.closeAfter(Duration.ofMillis(200));
        Patience.get(waiting.get(0)).close();
        for (int i = 1; i < 8; i++) {
            Patience.get(waiting.get(i)).close();
        }
        // The close, the attempts of the first one, and each release: not those of all, again and again.
        assertThat(String.valueOf(redis.server().command("INFO", "commandstats")))
                .containsPattern("cmdstat_evalsha:calls=1?\\d,");
    }

    /** Each waiter of one client needs two commands: the messages of its own client's releases make no head in line attempt again. */
    @Test
    void waitersOfOneClient_twoCommandsEach() {
        Deque<Permits> held =
                new ArrayDeque<>(List.of(semaphore(2).acquire(), semaphore(2).acquire()));
        List<CompletableFuture<Permits>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiting.add(semaphore(2).acquireAsync());
        }
        awaitInLine(1);
        redis.server().command("CONFIG", "RESETSTAT");
        for (CompletableFuture<Permits> next : waiting) {
            held.remove().close();
            held.add(Patience.get(next));
        }
        held.forEach(Permits::close);
        // The first one had its place before: the attempts of the others, and eight releases.
        Patience.await()
                .untilAsserted(() -> assertThat(String.valueOf(redis.server().command("INFO", "commandstats")))
                        .contains("cmdstat_evalsha:calls=13,"));
    }

    /** A key that another program has written is named in the exception. */
    @Test
    void otherProgram() {
        String key = "holdfast_semaphore:{" + redis.name() + "}";
        redis.server().command("SET", key, "7");
        assertThatThrownBy(() -> semaphore(1).tryAcquire())
                .isInstanceOf(LockException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("not a semaphore");
        redis.server().command("DEL", key);
        redis.server().command("HSET", key, "state", "?");
        assertThatThrownBy(() -> semaphore(1).tryAcquire())
                .isInstanceOf(LockException.class)
                .hasMessageContaining(key);
        assertThatThrownBy(() -> semaphore(1).inspect()).isInstanceOf(LockException.class);
        redis.server().command("DEL", key);
    }
}
