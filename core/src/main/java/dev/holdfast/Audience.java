package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.Listeners;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many other clients listen for the releases of one lock. Asked now and then while this client has the lock and would
 * keep it; no command waits for the answer.
 */
final class Audience implements Call.Caller {
    private static final long FRESH_NANOS = Duration.ofMillis(10).toNanos();

    private final Engine engine;
    private final LockKey lock;
    private final AtomicBoolean asking = new AtomicBoolean();

    /** Written by who set {@link #asking}. */
    private volatile long askedNanos;

    /** Written by who is told the answer. */
    private volatile int others;

    Audience(Engine engine, LockKey lock) {
        this.engine = engine;
        this.lock = lock;
        this.askedNanos = engine.now() - FRESH_NANOS;
    }

    /** Asks again if the last answer is not fresh. */
    void refresh(long now) {
        if (now - askedNanos >= FRESH_NANOS && asking.compareAndSet(false, true)) {
            askedNanos = now;
            engine.send(Listeners.of(lock.channelWord().bytes(), this));
        }
    }

    /** {@return how many other clients listened when it was last heard; 0 before that} */
    int others() {
        return others;
    }

    /** This client is one of those who listen. Who is not allowed to ask takes it that there is somebody else. */
    @Override
    public void settled(Call call) {
        switch (call.outcome()) {
            case ANSWERED -> others = Math.max(0, Listeners.number(call) - 1);
            case REFUSED -> others = 1;
            case UNKNOWN, NOT_SENT, NOT_EXECUTED -> {}
        }
        asking.set(false);
    }
}
