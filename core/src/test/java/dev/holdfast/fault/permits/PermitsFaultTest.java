package dev.holdfast.fault.permits;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.fault.permits.PermitsScene.KEY;
import static dev.holdfast.fault.permits.PermitsScene.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.TurnedClock;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands come twice, connections are cut, Redis is full or its clock turned: each permit comes back once, and is granted in order. */
@Tag("fault")
final class PermitsFaultTest {
    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final PermitsScene scene = new PermitsScene(faulty);

    // --- Releases.

    /** A release is executed twice, the second time when its permits have a new holder: nothing comes back a second time. */
    @Test
    void release_twice() {
        DistributedSemaphore semaphore = scene.patient(2);
        Permits released = semaphore.acquire(2);
        ProxiedConnection first = faulty.commandConnection();
        first.holdRequests();
        CompletableFuture<?> release = released.releaseAsync();
        eventually(() -> first.commands("EVALSHA") == 2);
        first.cutRst();
        get(release);
        Permits one = scene.others(2).acquire();
        assertThat(one.number()).isEqualTo(released.number());

        first.releaseRequests();

        faulty.server().command("PING");
        scene.assertHeld(one);
        Permits other = get(semaphore.acquireAsync());
        assertThat(scene.others(2).tryAcquire()).isEmpty();
        scene.assertHeld(one, other);
        one.close();
        other.close();
    }

    /** Permits that are freed at once are granted by that one command to as many as fit, who learn of it later here. */
    @Test
    void release_grantsToAllThatFit() {
        Permits all = scene.others(5).acquire(5);
        List<CompletableFuture<Permits>> waiting = new ArrayList<>();
        for (int permits : new int[] {2, 1, 1, 2}) {
            waiting.add(scene.join(scene.patient(5), permits, waiting.size() + 1));
        }
        faulty.proxy().blackHole(Direction.REPLIES);

        all.close();

        assertThat(scene.seen().held()).isEqualTo(4);
        assertThat(scene.seen().line())
                .extracting(SemaphoreInfo.Request::permits)
                .containsExactly(2);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        faulty.proxy().heal();
        waiting.forEach(granted -> get(granted).close());
    }

    // --- What is lost.

    /** A client that has died with a request for many at the head of the line is dropped by the next command of any other. */
    @Test
    void largeHead_isGone() {
        Permits held = scene.others(3).acquire();
        CompletableFuture<Permits> gone = scene.join(scene.cautious(3), 3, 1);
        int before = faulty.server().channels().size();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> faulty.server().channels().size() < before);

        Permits next = get(scene.others(3).tryAcquireAsync(2, Duration.ZERO)).orElseThrow();

        scene.assertHeld(held, next);
        gone.cancel(false);
        next.close();
        held.close();
    }

    /** A client without its subscriptions loses its place to those that have them, and its turn comes nevertheless. */
    @Test
    void subscriptions_areCut() {
        Permits held = scene.others(2).acquire(2);
        CompletableFuture<Permits> waiting = scene.join(scene.patient(2), 2, 1);
        CompletableFuture<Permits> behind = scene.join(scene.others(2), 1, 2);
        faulty.proxy().refuse();
        faulty.subscriberConnection().cutRst();
        eventually(() -> assertThat(faulty.server().command("PUBSUB", "NUMSUB", PermitsScene.CHANNEL))
                .asString()
                .endsWith(", 1]"));

        held.close();

        Permits one = get(behind);
        assertThat(waiting).isNotDone();
        faulty.proxy().accept();
        one.close();
        get(waiting, SOON).close();
    }

    // --- Clocks and memory.

    /** Redis's clock is set forward by more than a lease: others are granted, and the holder is told at its next renewal. */
    @Test
    void clock_setForward_holderIsTold() {
        TurnedClock clients = new TurnedClock();
        Permits old = faulty.client(clients::turns).getSemaphore(NAME, 2).acquire(2);
        turnClock(LONG.plusSeconds(1));

        Permits next = scene.others(2).tryAcquire(2).orElseThrow();

        assertThat(old.isValid()).isTrue();
        clients.advance(LONG.dividedBy(3));
        assertThat(get(old.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.GONE);
        scene.assertHeld(next);
        next.close();
    }

    /** So it is if nobody has acquired since: what is over is not revived. */
    @Test
    void clock_setForward_isNotRevived() {
        Permits old = scene.others(2).acquire(2);
        turnClock(LONG.plusSeconds(1));

        assertThatThrownBy(() -> old.extend(LONG)).isInstanceOf(LeaseLostException.class);

        scene.others(2).tryAcquire(2).orElseThrow().close();
    }

    /** It is set back: the permits of a dead holder come back so much later, those of a live one with its release. */
    @Test
    void clock_setBack_neverEarly() {
        Permits live = scene.others(2).acquire();
        Permits dead = scene.others(2).acquire(1, Duration.ofMillis(100));
        eventually(() -> !dead.isValid());
        turnClock(LONG.negated());

        assertThat(scene.others(2).tryAcquire()).isEmpty();
        live.close();

        Permits next = scene.others(2).tryAcquire().orElseThrow();
        assertThat(next.number()).isEqualTo(live.number());
        assertThat(scene.others(2).tryAcquire()).isEmpty();
        next.close();
        faulty.server().command("DEL", KEY);
    }

    /** Sets the server's clock forward, for the holds: it moves their ends, and the time of the next look at them. */
    private void turnClock(Duration time) {
        String script = """
                local function sooner(value, nth)
                  local words = {}
                  for word in value:gmatch('%S+') do
                    words[#words + 1] = #words + 1 == nth and string.format('%d', word - ARGV[1]) or word
                  end
                  return table.concat(words, ' ')
                end
                local all = redis.call('HGETALL', KEYS[1])
                for i = 1, #all, 2 do
                  if all[i] == 'state' then
                    redis.call('HSET', KEYS[1], all[i], sooner(all[i + 1], 3))
                  elseif all[i]:match('^hold:') then
                    redis.call('HSET', KEYS[1], all[i], sooner(all[i + 1], 4) .. ' ')
                  end
                end
                """;
        faulty.server().command("EVAL", script, "1", KEY, Long.toString(time.toMillis()));
    }

    /** In a full Redis permits are acquired, renewed, waited for, granted and released. */
    @Test
    void fullMemory_works() {
        DistributedSemaphore semaphore = scene.others(2);
        Permits one = semaphore.acquire(1, Duration.ofSeconds(10));
        faulty.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            one.extend(Duration.ofSeconds(20));
            Permits other = semaphore.tryAcquire().orElseThrow();
            CompletableFuture<Permits> leaves = scene.join(semaphore, 1, 1);
            CompletableFuture<Permits> waiting = scene.join(scene.others(2), 2, 2);
            leaves.cancel(false);
            scene.awaitInLine(1);
            other.close();
            one.close();
            get(waiting).close();
        } finally {
            faulty.server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    // --- The close of a client.

    /** A grace period lasts until the permits are released; it grants none, and those that wait fail at its begin. */
    @Test
    void close_grace_awaitsPermits() {
        Holdfast closed = faulty.client();
        DistributedSemaphore semaphore = closed.getSemaphore(NAME, 2);
        Permits held = semaphore.acquire(2);
        CompletableFuture<Permits> waiting = scene.join(semaphore, 1, 1);
        CompletableFuture<Permits> next = scene.join(scene.others(2), 2, 2);
        CompletableFuture<?> closing = FaultyRedis.elsewhere(() -> {
            closed.close(LONG);
            return null;
        });
        assertThatThrownBy(() -> get(waiting)).hasMessageContaining("closed");
        assertThat(closing).isNotDone();
        assertThat(held.isValid()).isTrue();

        held.close();

        get(closing);
        get(next).close();
        faulty.closed(closed);
    }
}
