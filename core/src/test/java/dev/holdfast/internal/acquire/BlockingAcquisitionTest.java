package dev.holdfast.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.view.Unconnected;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that acquires a lock continues when its lane is free for the next command. */
@Tag("pure")
final class BlockingAcquisitionTest {
    private static final long OWNER = 17;

    @AutoClose
    private final Unconnected parts = new Unconnected();

    private final Hold hold = parts.hold(OWNER);
    private final BlockingAcquisition acquisition = parts.acquisitions()
            .begin(new BlockingAcquisition(parts.acquisitions(), parts.request(OWNER, Ownership.THREAD)));

    /**
     * A grant alone does not let the caller continue, but the notification that follows it. Otherwise the caller's
     * unlock, if it is not awaited, could return while the lock still counted as held.
     */
    @Test
    void granted_continuesWhenNotified() {
        assertThat(acquisition.grant(hold)).isTrue();
        assertThat(acquisition.isReleasable()).isFalse();

        acquisition.notifyGranted();

        assertThat(acquisition.isReleasable()).isTrue();
        assertThat(acquisition.<Hold>await(granted -> granted)).isSameAs(hold);
    }

    /** An interrupt that comes between a grant and its notification does not shorten the wait, and is kept. */
    @Test
    @Timeout(20)
    void granted_interrupted_continuesWhenNotified() throws InterruptedException {
        acquisition.grant(hold);
        Thread caller = Thread.currentThread();
        AtomicBoolean notified = new AtomicBoolean();
        Thread notifier = new Thread(() -> {
            while (caller.isInterrupted()) {
                Thread.onSpinWait();
            }
            notified.set(true);
            acquisition.notifyGranted();
        });
        caller.interrupt();
        notifier.start();

        assertThat(acquisition.<Hold>awaitInterruptibly(granted -> granted)).isSameAs(hold);

        assertThat(notified).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        notifier.join();
    }
}
