package dev.holdfast.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ConnectionEvent;
import dev.holdfast.ConnectionRole;
import dev.holdfast.LockListener;
import dev.holdfast.internal.report.Callbacks;
import dev.holdfast.internal.report.EventPublisher;
import dev.holdfast.testkit.ManualTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the loss and the return of a connection are published. */
@Tag("pure")
@Tag("driver")
final class ConnectionWatchTest {
    private final ManualTimer timer = new ManualTimer();
    private final List<String> published = new ArrayList<>();
    private final LockListener listener = new LockListener() {
        @Override
        public void disconnected(ConnectionEvent.Disconnected event) {
            published.add("lost: " + event.cause().map(Throwable::getMessage).orElse("?"));
        }

        @Override
        public void reconnected(ConnectionEvent.Reconnected event) {
            published.add("back after " + event.outage().toMillis() + " ms");
        }
    };
    private final EventPublisher events =
            new EventPublisher(List.of(listener), new Callbacks(Runnable::run), "a client", timer::nanoTime);
    private final AtomicBoolean isUp = new AtomicBoolean(true);
    private final ConnectionWatch watch =
            new ConnectionWatch(ConnectionRole.COMMANDS, events, isUp::get, timer::nanoTime);

    /**
     * The first connection is not published. An outage is published when it begins and, with its length, when it ends.
     */
    @Test
    void outage_isPublished() {
        watch.up();
        assertThat(published).isEmpty();
        watch.down(new IOException("cut"));
        timer.advance(Duration.ofMillis(300));
        watch.up();
        assertThat(published).containsExactly("lost: cut", "back after 300 ms");
        assertThat(events.stats(0, 0).reconnects()).isEqualTo(1);
    }

    /** A connection that is up is not lost any more, even before its return is published. */
    @Test
    void up_beforeItIsPublished() {
        isUp.set(false);
        watch.down(new IOException("cut"));
        assertThat(watch.loss()).isNotNull();
        isUp.set(true);
        assertThat(watch.loss()).isNull();
        watch.up();
        assertThat(published).containsExactly("lost: cut", "back after 0 ms");
    }

    /** Failed attempts to reconnect belong to the same outage. */
    @Test
    void outage_isPublishedOnce() {
        watch.down(new IOException("cut"));
        watch.down(new IOException("cut again"));
        timer.advance(Duration.ofMillis(100));
        watch.up();
        watch.up();
        assertThat(published).containsExactly("lost: cut", "back after 100 ms");
    }

    /** Each reason for which an attempt fails is published once, as far as there are not too many. */
    @Test
    void attempt_fails() {
        isUp.set(false);
        watch.down(new IOException("cut"));
        timer.advance(Duration.ofMillis(100));
        watch.failed(new IOException("refused"));
        watch.failed(new IOException("refused"));
        watch.failed(new IOException("no such user"));
        watch.failed(new IOException("refused"));
        assertThat(published).containsExactly("lost: cut", "lost: refused", "lost: no such user");
        assertThat(watch.loss()).isNotNull().satisfies(loss -> {
            assertThat(loss.sinceNanos())
                    .isEqualTo(timer.nanoTime() - Duration.ofMillis(100).toNanos());
            assertThat(loss.reason()).hasMessage("refused");
        });
        for (int i = 0; i < 100; i++) {
            watch.failed(new IOException("reason " + i));
        }
        assertThat(published).hasSize(10);
        isUp.set(true);
        watch.up();
        assertThat(published).endsWith("back after 100 ms");
        assertThat(watch.loss()).isNull();
        watch.down(new IOException("cut"));
        assertThat(published).endsWith("lost: cut");
    }

    /** A connection that was never made counts as lost when an attempt has failed; a late failure changes nothing. */
    @Test
    void attempt_isTheFirst() {
        watch.failed(new IOException("late"));
        assertThat(published).isEmpty();
        isUp.set(false);
        watch.failed(new IOException("refused"));
        assertThat(published).containsExactly("lost: refused");
        isUp.set(true);
        watch.up();
        assertThat(published).containsExactly("lost: refused", "back after 0 ms");
    }

    /**
     * A connection whose end is reported before its beginning is published as back and lost, so that the next one is
     * published again.
     */
    @Test
    void end_reportedBeforeTheBeginning() {
        watch.down(new IOException("cut"));
        isUp.set(false);
        watch.down(new IOException("ended early"));
        watch.up();
        assertThat(published).containsExactly("lost: cut", "back after 0 ms", "lost: ?");
        isUp.set(true);
        timer.advance(Duration.ofMillis(50));
        watch.up();
        assertThat(published).endsWith("back after 50 ms");
    }

    /** The client's own close is not an outage. */
    @Test
    void close_isNotPublished() {
        watch.close();
        watch.down(new IOException("closed"));
        watch.up();
        assertThat(published).isEmpty();
    }
}
