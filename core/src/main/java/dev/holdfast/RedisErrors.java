package dev.holdfast;

import dev.holdfast.redis.Call;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out what is behind an error of Redis's, where its own words do not say it. */
final class RedisErrors {
    private static final Logger log = LoggerFactory.getLogger(RedisErrors.class);

    private final Engine engine;
    private final AtomicBoolean unannounced = new AtomicBoolean();

    RedisErrors(Engine engine) {
        this.engine = engine;
    }

    /** Tells, once it is known, why Redis refused a call of this lane. */
    void explain(Call refused, OwnerLane lane, Consumer<? super RuntimeException> to) {
        boolean answered = refused.outcome() == Call.Outcome.ANSWERED;
        String error = answered ? "Redis answered without what was asked for: " + refused.elements() : refused.error();
        explain(error, lane.lock(), lane.toString(), to);
    }

    /** Tells why Redis refused something; of a key that is no lock, it is asked what it is instead. */
    void explain(String error, LockKey lock, String subject, Consumer<? super RuntimeException> to) {
        if (error.contains("WRONGTYPE")) {
            new TypeQuestion(lock, subject, error, to).ask();
        } else {
            to.accept(engine.failures().refused(lock, subject, error));
        }
    }

    /** What a key is that is no lock. Asked for the command timeout at most: what is known already is told then. */
    private final class TypeQuestion implements Call.Callback {
        private final LockKey lock;
        private final String subject;
        private final String error;
        private final Consumer<? super RuntimeException> to;
        private final long untilNanos = engine.now() + engine.commandTimeoutNanos();

        TypeQuestion(LockKey lock, String subject, String error, Consumer<? super RuntimeException> to) {
            this.lock = lock;
            this.subject = subject;
            this.error = error;
            this.to = to;
        }

        void ask() {
            engine.send(Call.of(CommandType.TYPE, this, lock.key().bytes()));
        }

        @Override
        public void completed(Call type) {
            switch (type.outcome()) {
                case ANSWERED -> to.accept(ofType(type.elements().get(0).toString(), lock, subject));
                case NOT_SENT, NOT_EXECUTED -> engine.outage().await(type, this::ask, untilNanos, this::tellError);
                case REFUSED, UNKNOWN -> tellError();
            }
        }

        private void tellError() {
            to.accept(engine.failures().refused(lock, subject, error));
        }
    }

    /** A lock is a hash, or not there: then it was its tokens' key that is something else, or has changed meanwhile. */
    private RuntimeException ofType(String type, LockKey lock, String subject) {
        boolean canBeLock = type.equals("hash") || type.equals("none");
        return canBeLock
                ? engine.failures().otherType(lock, subject)
                : engine.failures().wrongType(lock, subject, type);
    }

    /** {@return whether a lock was let go, but the message that wakes those who wait was refused: they wait out the lease} */
    boolean noteUnannounced(Call release, LockKey lock) {
        boolean refused = release.elements().size() > 1 && !(release.elements().get(1) instanceof Long);
        if (refused && unannounced.compareAndSet(false, true)) {
            log.warn(
                    "Lock '{}' was released, but that could not be announced; those who wait for it wait longer: {}",
                    lock,
                    engine.failures()
                            .announcementRefused(lock, release.elements().get(1).toString()));
        }
        return refused;
    }
}
