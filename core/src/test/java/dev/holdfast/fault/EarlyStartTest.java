package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the next owner starts before its handoff is answered, and when it does not. */
@Tag("fault")
class EarlyStartTest {
    private static final String NAME = "orders:42";

    /** How many handoffs may be unanswered. */
    private static final int LONGEST = 256;

    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

    /** Its futures are completed directly, so a future that is not done was not granted. */
    private final Holdfast client =
            day.client(builder -> builder.callbackExecutor(Runnable::run).commandTimeout(LONG.dividedBy(4)));

    /**
     * Once a handoff has been answered, the next owner starts when its handoff is written, while the release still
     * waits for the reply.
     */
    @Test
    void answeredBefore_startsAtOnce() {
        HandoffScene row = HandoffScene.warm(day, client, NAME, 1);
        day.commandConnection().blackHole(Direction.REPLIES);

        CompletableFuture<?> released = row.passOn();

        assertThat(released).isNotDone();
        assertThat(row.owner().isValid()).isTrue();
        day.proxy().heal();
        get(released);
        assertThat(row.inRedis()).isEqualTo(row.owner().toString());
        row.finish();
    }

    /**
     * Before the reply, a hold is valid no longer than the hold it was handed off from; with the reply its own lease
     * counts.
     */
    @Test
    void unconfirmed_validNoLongerThanBefore() {
        HandoffScene row = HandoffScene.warm(day, client, NAME, 1, LONG.multipliedBy(2));
        Lease before = row.owner();
        day.commandConnection().blackHole(Direction.REPLIES);
        Duration left = before.remaining();

        CompletableFuture<?> released = row.passOn();

        assertThat(row.owner().remaining()).isPositive().isLessThanOrEqualTo(left);
        day.proxy().heal();
        get(released);
        assertThat(row.owner().remaining()).isGreaterThan(LONG);
        row.finish();
    }

    /** The next owner waits for the reply to the first handoff of a connection: the server may not know the script. */
    @Test
    void firstOfTheConnection_awaitsTheAnswer() {
        HandoffScene row = HandoffScene.cold(day, client, NAME, 1);

        assertAwaited(row);
    }

    /** The same for the first handoff of the next connection. */
    @Test
    void firstOfTheNextConnection_awaitsTheAnswer() {
        HandoffScene row = HandoffScene.warm(day, client, NAME, 1);
        day.proxy().cutRst();
        eventually(() -> !client.isConnected() || day.proxy().connections().size() == 2);
        eventually(() -> client.isConnected() && !Inside.residue(client).contains("calls in flight"));

        assertAwaited(row);
    }

    /**
     * If less of the lease is left than a reply may take, the next owner waits, since its hold could have expired by
     * then.
     */
    @Test
    void leaseNearItsEnd_awaitsTheAnswer() {
        HandoffScene row = HandoffScene.warm(day, client, NAME, 2, LONG.dividedBy(5));
        get(row.passOn());

        assertAwaited(row);
    }

    /** Owners that start faster than Redis replies are limited: at the maximum chain length one waits for its reply. */
    @Test
    void veryManyInARow_oneAwaitsTheAnswer() {
        HandoffScene row = HandoffScene.warm(day, client, NAME, LONGEST + 10);
        List<CompletableFuture<Void>> turns = row.waiting().stream()
                .map(waiter -> waiter.thenCompose(Lease::releaseAsync))
                .toList();
        long before = client.stats().acquired();
        day.commandConnection().blackHole(Direction.REPLIES);

        long sent = day.proxy().commands("EVALSHA");

        CompletableFuture<?> released = row.owner().releaseAsync();

        eventually(() -> day.proxy().commands("EVALSHA") > sent + LONGEST);
        assertThat(client.stats().acquired()).isEqualTo(before + LONGEST);
        day.proxy().heal();
        Stream.concat(Stream.of(released), turns.stream()).forEach(FaultyRedis::get);
        assertThat(day.heard().lost()).isEmpty();
    }

    private void assertAwaited(HandoffScene row) {
        day.commandConnection().blackHole(Direction.REPLIES);
        String before = row.inRedis();
        CompletableFuture<?> released = row.owner().releaseAsync();
        eventually(() -> !row.inRedis().equals(before));

        assertThat(row.next()).isNotDone();
        assertThat(released).isNotDone();

        day.proxy().heal();
        get(released);
        get(row.next()).close();
    }
}
