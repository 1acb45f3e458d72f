package dev.holdfast.fault;

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
final class LostWakeUpTest {
    private static final String NAME = "orders:42";
    private static final String CHANNEL = "redisson_lock__channel:{orders:42}";
    private static final Pattern EVALUATIONS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

    private final Holdfast client = day.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
    private final DistributedLock lock = client.getLock(NAME);

    /**
     * The first waiter is woken by the confirmation of its subscription, when the lock is free again, and leaves before
     * it can try, because its owner is still busy with another command. The second has found the lock busy before that,
     * and gets that reply only now. It has no waiter in front of it and will receive no message.
     */
    @Test
    void onlyOneInLine_leavesBeforeItsTry() {
        Lease held = day.bystander().getLock(NAME).acquire();
        Lease other = day.bystander().getLock("other").acquire();
        CompletableFuture<Lease> waitsForOther = client.getLock("other").acquireAsync();
        eventually(() -> day.commandConnection().commands("EVALSHA") == 2);
        ProxiedConnection commands = day.commandConnection();
        ProxiedConnection subscriber = day.subscriberConnection();
        OwnedLock first = lock.ownedBy(client.newOwnerId());
        OwnedLock second = lock.ownedBy(client.newOwnerId());
        subscriber.holdRequests();
        commands.blackHole(Direction.REPLIES);
        CompletableFuture<Boolean> triesSecond = second.tryLockAsync();
        CompletableFuture<?> waitsSecond = second.lockAsync();
        CompletableFuture<?> waitsFirst = first.lockAsync();
        CompletableFuture<Boolean> triesFirst = first.tryLockAsync();
        eventually(() -> commands.commands("EVALSHA") == 4);

        commands.holdRequests();
        commands.heal(Direction.REPLIES);
        eventually(() -> commands.commands("EVALSHA") == 6 && subscriber.commands("SUBSCRIBE") == 2);
        commands.blackHole(Direction.REPLIES);
        long evaluated = evaluations();
        commands.releaseRequests();
        eventually(() -> evaluations() == evaluated + 2);
        held.close();
        subscriber.releaseRequests();
        eventually(() -> listeners().equals(1L));
        other.close();
        eventually(() -> commands.commands("EVALSHA") == 7);
        assertThat(triesFirst).isNotDone();
        waitsFirst.cancel(false);
        commands.heal();

        get(waitsSecond);
        assertThat(get(triesSecond)).isFalse();
        get(waitsForOther).close();
        get(second.unlockAsync());
    }

    /** {@return how many clients are subscribed to the release messages} */
    private Object listeners() {
        return day.server().command("PUBSUB", "NUMSUB", CHANNEL) instanceof List<?> reply ? reply.get(1) : 0;
    }

    /** {@return how many scripts the server has run by EVALSHA} */
    private long evaluations() {
        Matcher calls = EVALUATIONS.matcher(String.valueOf(day.server().command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
