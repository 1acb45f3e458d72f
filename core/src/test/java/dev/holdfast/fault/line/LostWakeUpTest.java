package dev.holdfast.fault.line;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A wake-up is not lost with the only waiter, while another is about to join the queue with an outdated reply. */
@Tag("fault")
@Tag("driver")
@Tag("slow")
final class LostWakeUpTest {
    private static final String NAME = "orders:42";
    private static final String CHANNEL = "redisson_lock__channel:{orders:42}";
    private static final Pattern EVALUATIONS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    /** That of the releases, that of the grants to the client, and that of the line of clients. */
    private static final int CHANNELS = 3;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
    private final DistributedLock lock = client.getLock(NAME);
    private final OwnedLock first = lock.ownedBy(client.newOwnerId());
    private final OwnedLock second = lock.ownedBy(client.newOwnerId());

    /** The number of attempts that the client has sent, as far as the test has awaited them. */
    private long attempts;

    /**
     * The first waiter is woken by the confirmation of its subscription, when the lock is free again, and leaves before
     * it can try, because its owner is still busy with another command. The second has found the lock busy before that,
     * and gets that reply only now. It has no waiter in front of it and will receive no message.
     */
    @Test
    void onlyOneInLine_leavesBeforeItsTry() {
        Lease held = faulty.bystander().getLock(NAME).acquire();
        Lease other = faulty.bystander().getLock("other").acquire();
        CompletableFuture<Lease> waitsForOther = waitFor("other");
        ProxiedConnection commands = faulty.commandConnection();
        ProxiedConnection subscriber = faulty.subscriberConnection();

        subscriber.holdRequests();
        commands.blackHole(Direction.REPLIES);
        CompletableFuture<Boolean> triesSecond = second.tryLockAsync();
        CompletableFuture<?> waitsSecond = second.lockAsync();
        CompletableFuture<?> waitsFirst = first.lockAsync();
        CompletableFuture<Boolean> triesFirst = first.tryLockAsync();
        awaitAttempts(1 + 1); // the first call of each owner; its second one waits behind it

        answerBusyToTheFirstCalls(commands, subscriber);
        runTheSecondCallsWithoutReplies(commands);
        held.close();
        confirmTheSubscription(subscriber);
        other.close();
        awaitAttempts(1); // of the waiter for the other lock: so the confirmation before it has been processed as well
        assertThat(triesFirst).isNotDone();
        waitsFirst.cancel(false);
        commands.heal();

        get(waitsSecond);
        assertThat(get(triesSecond)).isFalse();
        get(waitsForOther).close();
        get(second.unlockAsync());
    }

    /** Has the client wait for a lock that is busy, so that it is subscribed to its channel. */
    private CompletableFuture<Lease> waitFor(String name) {
        CompletableFuture<Lease> waits = client.getLock(name).acquireAsync();
        awaitAttempts(1 + 1); // the call's own, and the one after the confirmation of the subscription
        return waits;
    }

    /** The first owner joins the queue, which subscribes; the second call of each owner is sent, and held back. */
    private void answerBusyToTheFirstCalls(ProxiedConnection commands, ProxiedConnection subscriber) {
        long subscribed = subscriber.commands("SUBSCRIBE");
        commands.holdRequests();
        commands.heal(Direction.REPLIES);
        awaitAttempts(1 + 1);
        eventually(() -> subscriber.commands("SUBSCRIBE") == subscribed + CHANNELS);
    }

    /** Redis finds the lock busy for the second call of each owner; the client does not know that yet. */
    private void runTheSecondCallsWithoutReplies(ProxiedConnection commands) {
        commands.blackHole(Direction.REPLIES);
        long evaluated = evaluations();
        commands.releaseRequests();
        eventually(() -> evaluations() == evaluated + 2);
    }

    private void confirmTheSubscription(ProxiedConnection subscriber) {
        subscriber.releaseRequests();
        eventually(() -> listeners().equals(1L));
    }

    /** Waits until the client has sent this many more attempts. */
    private void awaitAttempts(int more) {
        attempts += more;
        eventually(() -> faulty.commandConnection().commands("EVALSHA") == attempts);
    }

    /** {@return how many clients are subscribed to the release messages} */
    private Object listeners() {
        return faulty.server().command("PUBSUB", "NUMSUB", CHANNEL) instanceof List<?> reply ? reply.get(1) : 0;
    }

    /** {@return how many scripts the server has run by EVALSHA} */
    private long evaluations() {
        Matcher calls = EVALUATIONS.matcher(String.valueOf(faulty.server().command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
