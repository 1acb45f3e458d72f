package dev.holdfast.internal.acquire;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.ReadKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.time.Duration;

/**
 * Asks Redis whether a writer waits, when a reader joins a group without a command: at most once in {@link #PAUSE}, or in {@link
 * #PAUSE_LISTENING} if the client receives the messages that say so, one of which may be lost. Guarded by the {@link ReadSide}.
 */
final class WriterAsk {
    /** How long a writer of another client may stay unnoticed. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    /** The same if there is a message of it. */
    private static final Duration PAUSE_LISTENING = Duration.ofSeconds(1);

    private final LockKey lock;
    private long askedNanos;

    WriterAsk(LockKey lock, long nowNanos) {
        this.lock = lock;
        this.askedNanos = nowNanos - PAUSE_LISTENING.toNanos();
    }

    /** {@return whether it is to be sent now} */
    boolean isDue(long nowNanos, boolean listens) {
        boolean due = nowNanos - askedNanos >= (listens ? PAUSE_LISTENING : PAUSE).toNanos();
        askedNanos = due ? nowNanos : askedNanos;
        return due;
    }

    /**
     * Runs this if a writer waits; without a reply, it is as if it had not been sent. Not under the monitor.
     *
     * @param home that of the lock
     */
    void send(Home home, Runnable ifWriterWaits) {
        if (lock.kind() instanceof ReadKind kind) {
            home.send(lock, kind.ask(lock, call -> {
                home.noteOutcome(call);
                if (call.outcome() == Call.Outcome.ANSWERED && ReadKind.waitingWriters(call) > 0) {
                    ifWriterWaits.run();
                }
            }));
        }
    }
}
