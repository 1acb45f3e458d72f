package dev.holdfast;

import static dev.holdfast.BadDay.LONG;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Direction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first in line asks Redis by itself, as it does after a new subscription, while the lock is given back. */
class PassedByTest {
    @RegisterExtension
    final BadDay day = new BadDay();

    /** Nobody waits for the answer to that try: the second has its turn, and the first comes after it. */
    @Test
    void firstTries_secondIsServed_thenFirst() {
        Holdfast client = day.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        Row row = Row.warm(day, client, "orders:42", 2);
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
