package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockKinds;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.Faults;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections end, gracefully or not, with commands in flight: calls, waits and holds continue over the next one. */
@Tag("fault")
@Tag("driver")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class CutConnectionTest {
    private static final String NAME = "orders:42";

    /** How a connection ends. */
    enum End {
        FIN {
            @Override
            void of(Faults connections) {
                connections.cutFin();
            }
        },
        RST {
            @Override
            void of(Faults connections) {
                connections.cutRst();
            }
        };

        abstract void of(Faults connections);
    }

    @Parameter
    LockKinds kind = LockKinds.PLAIN;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** Acquires in flight are resolved on the next connection: each holds exactly once. */
    @ParameterizedTest
    @EnumSource
    void acquires_inFlight_allHoldOnce(End end) {
        Holdfast client = faulty.patientClient();
        faulty.commandConnection().blackHole(Direction.REPLIES);
        List<CompletableFuture<Lease>> acquires = IntStream.range(0, 20)
                .mapToObj(i -> kind.lock(client, NAME + i).acquireAsync())
                .toList();
        eventually(() -> faulty.keys().size() == acquires.size());

        end.of(faulty.proxy());

        acquires.forEach(acquire -> get(acquire).close());
        assertThat(client.stats().acquired()).isEqualTo(acquires.size());
        assertThat(faulty.keys()).isEmpty();
    }

    /** Releases in flight are too: each succeeds, whether or not it took effect before the connection ended. */
    @ParameterizedTest
    @EnumSource
    void releases_inFlight_allSucceed(End end) {
        Holdfast client = faulty.patientClient();
        List<Lease> leases = IntStream.range(0, 20)
                .mapToObj(i -> kind.lock(client, NAME + i).acquire())
                .toList();
        faulty.commandConnection().blackHole(Direction.REPLIES);
        List<CompletableFuture<?>> releases =
                leases.stream().<CompletableFuture<?>>map(Lease::releaseAsync).toList();
        eventually(() -> faulty.keys().isEmpty());

        end.of(faulty.proxy());

        releases.forEach(FaultyRedis::get);
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** A release that was published while the subscriber was disconnected is detected when the connection is back. */
    @ParameterizedTest
    @EnumSource
    void waiter_messageMissed_getsItSoon(End end) {
        Lease holder = kind.lock(faulty.bystander(), NAME).acquire();
        Holdfast client = faulty.client();
        CompletableFuture<Lease> waiting = kind.lock(client, NAME).acquireAsync();
        faulty.awaitWaiting(client, 1);
        faulty.proxy().refuse();
        end.of(faulty.proxy());
        eventually(() -> !client.isConnected());

        holder.close();
        faulty.proxy().accept();

        get(waiting, SOON).close();
    }

    /** Waiters keep their places through any number of cuts, and one owner at a time holds the lock. */
    @ParameterizedTest
    @EnumSource
    void contention_manyCuts_excludes(End end) {
        DistributedLock one = kind.lock(faulty.patientClient(), NAME);
        DistributedLock other = kind.lock(faulty.patientClient(), NAME);
        int rounds = 50;
        int[] unguarded = {0};
        List<CompletableFuture<Void>> threads = IntStream.range(0, 6)
                .mapToObj(i -> elsewhere(() -> {
                    DistributedLock lock = i % 2 == 0 ? one : other;
                    for (int round = 0; round < rounds; round++) {
                        lock.lock();
                        unguarded[0]++;
                        lock.unlock();
                    }
                    return (Void) null;
                }))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new));

        for (int next = 20; !all.isDone(); next += 20) {
            int reached = next;
            eventually(() -> unguarded[0] >= reached || all.isDone());
            end.of(faulty.proxy());
        }

        threads.forEach(FaultyRedis::get);
        assertThat(unguarded[0]).isEqualTo(6 * rounds);
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** A hold whose key was deleted meanwhile is reported lost on reconnect, long before its renewal would be due. */
    @ParameterizedTest
    @EnumSource
    void hold_deletedMeanwhile_isGoneSoon(End end) {
        Holdfast client = faulty.client();
        Lease watched = kind.lock(client, NAME).acquire();
        Lease explicit = kind.lock(client, "explicit").acquire(LONG);

        meanwhile(end, client, () -> faulty.server().command("DEL", NAME, "explicit"));

        for (Lease lease : List.of(watched, explicit)) {
            assertThat(get(lease.lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.GONE);
            assertThat(lease.isValid()).isFalse();
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        }
    }

    /** A hold that another owner took over meanwhile is reported lost with that reason. */
    @ParameterizedTest
    @EnumSource
    void hold_takenMeanwhile_isTaken(End end) {
        Holdfast client = faulty.client();
        DistributedLock others = kind.lock(faulty.bystander(), NAME);
        Lease lease = kind.lock(client, NAME).acquire();
        Lease[] taken = new Lease[1];

        meanwhile(end, client, () -> {
            assertThat(others.forceUnlock()).isTrue();
            taken[0] = others.acquire();
        });

        assertThat(get(lease.lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.TAKEN);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        assertThat(taken[0].isValid()).isTrue();
        taken[0].close();
    }

    /** A hold with an explicit lease is verified after a reconnect, and not extended by that. */
    @ParameterizedTest
    @EnumSource
    void hold_explicitLease_isVerifiedNotExtended(End end) {
        Holdfast client = faulty.client();
        Lease lease = kind.lock(client, NAME).acquire(Duration.ofSeconds(20));
        long sent = faulty.proxy().commands("EVALSHA");
        long left = millisLeft();

        meanwhile(end, client, () -> {});

        eventually(() -> faulty.proxy().commands("EVALSHA") > sent);
        assertThat(kind.lock(client, NAME).isLocked()).isTrue();
        assertThat(millisLeft()).isLessThan(left);
        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(20));
        assertThat(lease.isValid()).isTrue();
        assertThat(faulty.events().lost()).isEmpty();
        lease.close();
    }

    private void meanwhile(End end, Holdfast client, Runnable task) {
        faulty.proxy().refuse();
        end.of(faulty.proxy());
        eventually(() -> !client.isConnected());
        task.run();
        faulty.proxy().accept();
    }

    private long millisLeft() {
        return Long.parseLong(String.valueOf(faulty.server().command("PTTL", NAME)));
    }
}
