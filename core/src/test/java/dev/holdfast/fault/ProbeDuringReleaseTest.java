package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.Direction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first waiter makes an attempt of its own, as after a new subscription, while the lock is released. */
@Tag("fault")
class ProbeDuringReleaseTest {
    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

    /**
     * The release does not wait for the reply to that attempt: the second waiter gets the lock, and the first one after
     * it.
     */
    @Test
    void firstTries_secondIsServed_thenFirst() {
        Holdfast client = day.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        HandoffScene row = HandoffScene.warm(day, client, "orders:42", 2);
        List<CompletableFuture<Lease>> line = row.waiting();
        day.commandConnection().blackHole(Direction.REPLIES);
        long before = day.proxy().commands("EVALSHA");
        day.subscriberConnection().cutRst();
        eventually(() -> day.proxy().commands("EVALSHA") == before + 1);

        CompletableFuture<?> released = row.owner().releaseAsync();
        Lease second = get(line.get(1));

        assertThat(line.get(0)).isNotDone();
        day.proxy().heal();
        get(released);
        second.close();
        get(line.get(0)).close();
        assertThat(day.heard().lost()).isEmpty();
    }
}
