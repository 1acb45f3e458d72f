package dev.holdfast.fault.permits;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.fault.permits.PermitsScene.KEY;
import static dev.holdfast.fault.permits.PermitsScene.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FaultyRedis;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holders of permits die or are cut off, and messages or the key are lost: permits come back by time, once, and in order. */
@Tag("fault")
@Tag("slow")
final class PermitsLossTest {
    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final PermitsScene scene = new PermitsScene(faulty);

    /** What becomes of the process of a client. */
    enum Fate {
        KILLED {
            @Override
            void befall(FaultyRedis clients) {
                clients.proxy().refuse();
                clients.proxy().cutRst();
            }
        },
        /** Or stopped: its connections stay open. */
        CUT_OFF {
            @Override
            void befall(FaultyRedis clients) {
                clients.proxy().blackHole();
            }
        };

        /** Of all clients behind the proxy. */
        abstract void befall(FaultyRedis clients);
    }

    /** Exactly the permits of the holder come back when its lease ends, and go to the first in line, though nobody else acquires. */
    @ParameterizedTest
    @EnumSource
    void holder_dies_itsPermitsGoToTheFirst(Fate fate) {
        Permits lost = faulty.client(SHORT).getSemaphore(NAME, 4).acquire(3);
        Permits kept = scene.others(4).acquire();
        CompletableFuture<Permits> first = scene.join(scene.others(4), 2, 1);
        CompletableFuture<Permits> second = scene.join(scene.others(4), 2, 2);

        fate.befall(faulty);

        Permits next = get(first, SOON);
        scene.assertHeld(kept, next);
        assertThat(lost.isValid()).isFalse();
        assertThat(second).isNotDone();
        kept.extend(LONG);
        kept.close();
        get(second).close();
        next.close();
    }

    /** The line outlives all holders. */
    @Test
    void holders_die_lineStays() {
        Permits lost = scene.others(3).acquire(3, SHORT);
        CompletableFuture<Permits> first = scene.join(scene.others(3), 3, 1);
        CompletableFuture<Permits> second = scene.join(scene.others(3), 1, 2);
        CompletableFuture<Permits> third = scene.join(scene.others(3), 2, 3);

        Permits next = get(first, SOON);

        assertThat(lost.isValid()).isFalse();
        assertThat(scene.seen().line())
                .extracting(SemaphoreInfo.Request::permits)
                .containsExactly(1, 2);
        next.close();
        get(second).close();
        get(third).close();
    }

    /** When holders and waiters have died, and nobody acquires, the key expires: at most a minute after the last lease. */
    @Test
    void all_die_keyExpires() {
        Permits held = faulty.client(SHORT).getSemaphore(NAME, 2).acquire(2);
        CompletableFuture<Permits> waiting = scene.join(scene.cautious(2), 1, 1);
        faulty.proxy().blackHole();
        eventually(() -> !held.isValid());

        assertThat(Long.parseLong(String.valueOf(faulty.server().command("PTTL", KEY))))
                .isBetween(1L, SHORT.plusMinutes(1).toMillis());
        waiting.cancel(false);
        faulty.proxy().heal();
        scene.others(2).acquire(2).close();
    }

    /** A release that comes when the lease is over, and its number has a new holder, changes nothing. */
    @Test
    void release_late() {
        DistributedSemaphore slow =
                faulty.client(builder -> builder.awaitReleases(false)).getSemaphore(NAME, 2);
        Permits lost = slow.acquire(2, SHORT);
        ProxiedConnection commands = faulty.commandConnection();
        commands.holdRequests();
        CompletableFuture<?> release = lost.releaseAsync();
        Permits next = get(scene.others(2).acquireAsync(2), SOON);
        assertThat(next.number()).isEqualTo(lost.number());

        commands.releaseRequests();

        assertThat(get(slow.tryAcquireAsync(1, Duration.ZERO))).isEmpty();
        scene.assertHeld(next);
        assertThatThrownBy(() -> get(release)).isInstanceOf(LeaseLostException.class);
        next.close();
    }

    /** A message that is lost delays its waiter until its next attempt. */
    @Test
    void message_isLost() {
        Permits held = scene.others(2).acquire(2);
        CompletableFuture<Permits> waiting = scene.join(scene.cautious(2), 1, 1);
        faulty.proxy().loseMessages(channel -> true);

        held.close();

        get(waiting, SOON).close();
    }

    /** A client that is cut off, without the server knowing, holds up those behind it for the lease of its grant. */
    @Test
    void grantee_isCutOff() {
        Permits held = scene.others(2).acquire(2);
        CompletableFuture<Permits> cutOff = scene.join(scene.cautious(2), 2, 1);
        CompletableFuture<Permits> next = scene.join(scene.others(2), 1, 2);
        faulty.proxy().blackHole();

        held.close();

        get(next, SOON).close();
        cutOff.cancel(false);
    }

    /** The key is deleted while clients are in line: all are served, never more than fit, and the holder is told. */
    @Test
    void key_isDeleted() {
        Permits held = scene.others(2).acquire(2);
        List<CompletableFuture<Permits>> waiting = new ArrayList<>();
        for (int place = 1; place <= 3; place++) {
            waiting.add(scene.join(scene.cautious(2), 2, place));
        }

        faulty.server().command("DEL", KEY);

        for (int turn = 1; turn <= 3; turn++) {
            get(CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new)), SOON);
            List<CompletableFuture<Permits>> granted =
                    waiting.stream().filter(CompletableFuture::isDone).toList();
            assertThat(granted).hasSize(1);
            waiting.removeIf(each -> each == granted.get(0));
            Permits one = get(granted.get(0));
            scene.assertHeld(one);
            one.close();
        }
        assertThatThrownBy(held::close).isInstanceOf(LeaseLostException.class);
    }
}
