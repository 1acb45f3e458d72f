package dev.holdfast.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.ConnectionEvent;
import dev.holdfast.ConnectionRole;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.LockType;
import dev.holdfast.Patience;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The events that are queued for a listener: in order, and limited in number. */
@Tag("pure")
final class MailboxTest {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Counters counters = new Counters();
    private final List<Long> delivered = new CopyOnWriteArrayList<>();
    private final Mailbox mailbox = mailbox(tasks::add);

    private Mailbox mailbox(Executor executor) {
        return new Mailbox(
                new LockListener() {
                    @Override
                    public void renewed(LockEvent.Renewed event) {
                        delivered.add(event.held().toNanos());
                    }

                    @Override
                    public void reconnected(ConnectionEvent.Reconnected event) {
                        delivered.add(-event.outage().toNanos());
                    }
                },
                new Callbacks(executor),
                counters);
    }

    private void routine(Mailbox to, long number) {
        to.put(new LockEvent.Renewed("c", "orders", LockType.PLAIN, 1, Duration.ofNanos(number)));
        to.deliver();
    }

    private void alarm(long number) {
        mailbox.put(new ConnectionEvent.Reconnected("c", ConnectionRole.COMMANDS, Duration.ofNanos(number)));
        mailbox.deliver();
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private long dropped() {
        return counters.stats(0, 0).droppedEvents();
    }

    /** Events are delivered in order, however many tasks deliver them. */
    @Test
    void deliver_inOrder() {
        List<Long> all = new ArrayList<>();
        for (long i = 1; i <= 1000; i++) {
            routine(mailbox, i);
            all.add(i);
        }
        runAll();
        assertThat(delivered).isEqualTo(all);
        assertThat(dropped()).isZero();
    }

    /**
     * When the mailbox is full, later routine events are dropped and counted, with one warning; alarms have room of
     * their own.
     */
    @Test
    void put_full() {
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            for (long i = 0; i < Mailbox.ROUTINE + 5; i++) {
                routine(mailbox, i);
            }
            alarm(7);
            assertThat(dropped()).isEqualTo(5);
            assertThat(warnings.of(Mailbox.class)).singleElement().asString().contains("too slow");
        }
        runAll();
        assertThat(delivered).hasSize(Mailbox.ROUTINE + 1).endsWith(Mailbox.ROUTINE - 1L, -7L);
        routine(mailbox, 42);
        runAll();
        assertThat(delivered).as("once there is room again").endsWith(42L);
    }

    /** Alarms are limited too. */
    @Test
    void put_fullOfAlarms() {
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            for (long i = 0; i < Mailbox.ALL + 5; i++) {
                alarm(i);
            }
            assertThat(warnings.of(Mailbox.class)).hasSize(1);
        }
        assertThat(dropped()).isEqualTo(5);
        runAll();
        assertThat(delivered).hasSize(Mailbox.ALL);
    }

    /** An event that the executor refuses is delivered by a thread of the client, and so are the next ones. */
    @Test
    void deliver_refused() {
        Mailbox refused = mailbox(task -> {
            throw new RejectedExecutionException("full on purpose");
        });
        routine(refused, 1);
        routine(refused, 2);
        Patience.await().until(() -> delivered.size() == 2);
        assertThat(delivered).containsExactly(1L, 2L);
        assertThat(dropped()).isZero();
    }

    /** Delivery to a listener with many events yields to callbacks that became ready meanwhile. */
    @Test
    void deliver_yields() {
        Callbacks callbacks = new Callbacks(tasks::add);
        List<String> order = new ArrayList<>();
        Mailbox busy = new Mailbox(
                new LockListener() {
                    @Override
                    public void renewed(LockEvent.Renewed event) {
                        order.add("event");
                    }
                },
                callbacks,
                counters);
        for (int i = 0; i < 1000; i++) {
            routine(busy, i);
        }
        callbacks.run(() -> order.add("another"));
        runAll();
        assertThat(order).hasSize(1001);
        assertThat(order.indexOf("another")).isLessThan(100);
    }
}
