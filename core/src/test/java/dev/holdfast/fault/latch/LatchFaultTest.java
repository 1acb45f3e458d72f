package dev.holdfast.fault.latch;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.LatchGoneException;
import dev.holdfast.LockException;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replies, messages and connections are lost: a command counts once, and no opening is missed. */
@Tag("fault")
final class LatchFaultTest {
    private static final String NAME = "orders:42";

    private static final String CHANNEL = "redisson_countdownlatch__channel__{orders:42}";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.patientClient();
    private final DistributedCountDownLatch latch = client.getCountDownLatch(NAME);
    private final DistributedCountDownLatch other = faulty.bystander().getCountDownLatch(NAME);

    @AfterEach
    void deleted() {
        faulty.proxy().heal();
        if (faulty.server().isRunning()) {
            faulty.server().command("DEL", NAME);
        }
    }

    private void awaitWaiting() {
        faulty.awaitWaiting(client, 1);
    }

    /** A countdown whose reply was lost with its connection counts once. */
    @Test
    void countDown_replyLost_countsOnce() {
        other.trySetCount(3);
        latch.countDown();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        latch.countDown();

        assertThat(faulty.proxy().lostReplies()).isPositive();
        assertThat(other.getCount()).isEqualTo(1);
    }

    /** The last countdown is repeated after the next set: it does not count for the next generation. */
    @Test
    void countDown_replyLost_afterTheNextSet() {
        latch.countDown(); // Redis knows the script from now on
        other.trySetCount(1);
        faulty.proxy().blackHole(Direction.REPLIES);

        CompletableFuture<?> down = latch.countDownAsync();
        eventually(() -> other.getCount() == 0);
        other.trySetCount(2);
        faulty.proxy().heal();
        faulty.proxy().cutRst();

        get(down);
        assertThat(other.getCount()).isEqualTo(2);
    }

    /** A set whose reply was lost has set the count. */
    @Test
    void trySetCount_replyLost_isTrue() {
        latch.getCount();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        assertThat(latch.trySetCount(3)).isTrue();

        assertThat(other.getCount()).isEqualTo(3);
    }

    /** A deletion whose reply was lost has deleted the count, and no count that was set since. */
    @Test
    void delete_replyLost_isTrue() {
        latch.delete(); // Redis knows the script from now on
        other.trySetCount(3);
        faulty.proxy().blackHole(Direction.REPLIES);

        CompletableFuture<Boolean> deleted = latch.deleteAsync();
        eventually(() -> other.getCount() == 0);
        other.trySetCount(2);
        faulty.proxy().heal();
        faulty.proxy().cutRst();

        assertThat(get(deleted)).isTrue();
        assertThat(other.getCount()).isEqualTo(2);
    }

    /** An opening while the connections are down is noticed when they are up again, though another count was set since. */
    @Test
    void await_openedDuringAnOutage() {
        other.trySetCount(1);
        CompletableFuture<?> waiting = latch.awaitAsync();
        awaitWaiting();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        other.countDown();
        other.trySetCount(5);
        faulty.proxy().accept();

        get(waiting);
    }

    /** A deletion during an outage likewise. */
    @Test
    void await_deletedDuringAnOutage() {
        other.trySetCount(1);
        CompletableFuture<?> waiting = latch.awaitAsync();
        awaitWaiting();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        other.delete();
        other.trySetCount(5);
        faulty.proxy().accept();

        assertThatThrownBy(() -> get(waiting)).isInstanceOf(LatchGoneException.class);
    }

    /** A message that is lost delays the caller until its next look, here by the end of its wait. */
    @Test
    void await_messageLost() throws InterruptedException {
        Holdfast another = faulty.client();
        DistributedCountDownLatch deaf = another.getCountDownLatch(NAME);
        other.trySetCount(1);
        CompletableFuture<Boolean> waiting = deaf.awaitAsync(Duration.ofSeconds(5));
        faulty.awaitWaiting(another, 1);
        faulty.proxy().loseMessages(channel -> channel.contains(CHANNEL));

        other.countDown();

        assertThat(get(waiting)).isTrue();
    }

    /** One that waits without an end looks once a minute. */
    @Test
    void await_messageLost_withoutEnd() {
        TurnedClock clock = new TurnedClock();
        Holdfast another = faulty.client(clock::turns);
        other.trySetCount(1);
        CompletableFuture<?> waiting = another.getCountDownLatch(NAME).awaitAsync();
        eventually(() -> another.stats().waiters() == 1 && isListening(another));
        faulty.proxy().loseMessages(channel -> channel.contains(CHANNEL));
        other.countDown();
        assertThat(waiting).isNotDone();

        clock.advance(Duration.ofMinutes(1));

        get(waiting);
    }

    /** {@return whether no reply is awaited, and the next look is scheduled} */
    private static boolean isListening(Holdfast client) {
        String residue = Inside.residue(client);
        return residue.contains("timeouts=1") && !residue.contains("calls");
    }

    /** The grace period of a close lasts until a countdown has its reply, and another one is accepted then. */
    @Test
    void close_grace_awaitsCountdowns() {
        Holdfast closed = faulty.patientClient();
        DistributedCountDownLatch of = closed.getCountDownLatch(NAME);
        of.countDown(); // Redis knows the script from now on
        other.trySetCount(3);
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<?> down = of.countDownAsync();
        eventually(() -> other.getCount() == 2);
        try (Worker closer = new Worker()) {
            CompletableFuture<?> closing = closer.begins(() -> closed.close(FaultyRedis.LONG));
            eventually(() -> closer.thread().getState() == Thread.State.TIMED_WAITING);

            CompletableFuture<?> another = of.countDownAsync();
            faulty.proxy().heal();
            faulty.proxy().cutRst();

            get(down);
            get(another);
            get(closing);
        }
        assertThat(other.getCount()).isEqualTo(1);
        faulty.closed(closed);
    }

    /** Without an answer for the failover timeout a call fails; a countdown was perhaps counted. */
    @Test
    void silence_failsTheCalls() {
        Holdfast hasty = faulty.hastyClient();
        DistributedCountDownLatch silent = hasty.getCountDownLatch(NAME);
        other.trySetCount(3);
        assertThat(silent.getCount()).isEqualTo(3);
        faulty.proxy().blackHole();

        assertThatThrownBy(silent::countDown)
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll("latch 'orders:42'", "may not have been changed");
        assertThatThrownBy(silent::getCount).isExactlyInstanceOf(LockException.class);
        assertThatThrownBy(() -> silent.await()).isExactlyInstanceOf(LockException.class);
        assertThatThrownBy(
                        () -> assertThat(silent.await(Duration.ofMillis(500))).isTrue())
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining("no answer");
    }

    /** In a full Redis everything works that ends something, and a set as well. */
    @Test
    void fullMemory_works() {
        latch.trySetCount(3);
        CompletableFuture<?> waiting = other.awaitAsync();
        faulty.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            latch.countDown(2);
            assertThat(latch.getCount()).isEqualTo(1);
            latch.countDown();
            get(waiting);
            assertThat(latch.trySetCount(1)).isTrue();
            assertThat(latch.delete()).isTrue();
        } finally {
            faulty.server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** A user with the documented rights can do everything, and each that is missing is named. */
    @Test
    void rightMissing_namesIt() {
        String[] enough = {
            "~orders:*",
            "~holdfast_latch:{orders:*",
            "&redisson_countdownlatch__channel__{orders:*",
            "+evalsha",
            "+eval",
            "+hmget",
            "+hset",
            "+hdel",
            "+pttl",
            "+pexpire",
            "+get",
            "+set",
            "+del",
            "+time",
            "+publish",
            "+subscribe",
            "+unsubscribe",
            "+ping",
            "+type"
        };
        Holdfast restricted = faulty.client(builder -> builder.redisUri(faulty.user(enough)));
        DistributedCountDownLatch allowed = restricted.getCountDownLatch(NAME);
        assertThat(allowed.trySetCount(1)).isTrue();
        CompletableFuture<?> waiting = allowed.awaitAsync();
        faulty.awaitWaiting(restricted, 1);
        allowed.countDown();
        get(waiting);
        faulty.server().command("ACL", "SETUSER", "app", "-set");
        assertThatThrownBy(() -> allowed.trySetCount(1))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant");
        faulty.server().command("ACL", "SETUSER", "app", "+set", "-time");
        assertThatThrownBy(() -> allowed.trySetCount(1)).hasMessageContainingAll("+time");
        assertThatThrownBy(() -> restricted.getCountDownLatch("invoices").trySetCount(1))
                .hasMessageContainingAll("~invoices", "~holdfast_latch:{invoices}");
        faulty.server().command("ACL", "SETUSER", "app", "+time", "resetchannels");
        assertThat(other.trySetCount(1)).isTrue();
        assertThatThrownBy(() -> allowed.await()).hasMessageContainingAll("+subscribe", "&" + CHANNEL);
    }

    /**
     * The channel is still subscribed from before. Its right is taken away with the connection, while the first look of a call is in
     * flight: that call fails as well, since no message will arrive.
     */
    @Test
    void subscription_takenAwayDuringTheFirstLook() {
        assumeFalse(faulty.server().version().startsWith("6."), "it leaves what is subscribed");
        Holdfast restricted = faulty.client(builder -> builder.redisUri(faulty.user("~*", "&*", "+@all")));
        DistributedCountDownLatch allowed = restricted.getCountDownLatch(NAME);
        assertThat(allowed.trySetCount(1)).isTrue();
        CompletableFuture<?> before = allowed.awaitAsync();
        faulty.awaitWaiting(restricted, 1);
        allowed.countDown();
        get(before);
        assertThat(other.trySetCount(1)).isTrue();
        faulty.server().command("CLIENT", "PAUSE", "60000", "WRITE"); // scripts are not executed
        CompletableFuture<?> waiting = allowed.awaitAsync();
        faulty.server().command("ACL", "SETUSER", "app", "resetchannels");
        eventually(() -> String.valueOf(faulty.server().command("ACL", "LOG")).contains(CHANNEL));
        faulty.server().command("CLIENT", "UNPAUSE");

        assertThatThrownBy(() -> get(waiting)).hasMessageContainingAll("+subscribe", "&" + CHANNEL);
    }
}
