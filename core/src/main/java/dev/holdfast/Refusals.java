package dev.holdfast;

import dev.holdfast.redis.Call;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out what is behind an error of Redis's, where its own words do not say it. */
final class Refusals {
    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    private final Failures failures;
    private final Consumer<Call> link;
    private final AtomicBoolean unannounced = new AtomicBoolean();

    Refusals(Failures failures, Consumer<Call> link) {
        this.failures = failures;
        this.link = link;
    }

    /** Tells, once it is known, why Redis refused a call of this lane. */
    void explain(Call refused, Lane lane, Consumer<? super RuntimeException> to) {
        boolean answered = refused.outcome() == Call.Outcome.ANSWERED;
        String error = answered ? "Redis answered without what was asked for: " + refused.elements() : refused.error();
        explain(error, lane.lock(), lane.toString(), to);
    }

    /** Tells why Redis refused something; of a key that is no lock, it is asked what it is instead. */
    void explain(String error, LockKey lock, String subject, Consumer<? super RuntimeException> to) {
        if (!error.contains("WRONGTYPE")) {
            to.accept(failures.refused(lock, subject, error));
            return;
        }
        link.accept(Call.of(
                CommandType.TYPE,
                type -> to.accept(
                        type.outcome() == Call.Outcome.ANSWERED
                                ? ofType(type.elements().get(0).toString(), lock, subject)
                                : failures.refused(lock, subject, error)),
                lock.key().bytes()));
    }

    /** A lock is a hash, or not there: then it was its tokens' key that is something else, or has changed meanwhile. */
    private RuntimeException ofType(String type, LockKey lock, String subject) {
        boolean canBeLock = type.equals("hash") || type.equals("none");
        return canBeLock ? failures.otherType(lock, subject) : failures.wrongType(lock, subject, type);
    }

    /** {@return whether a lock was let go, but the message that wakes those who wait was refused: they wait out the lease} */
    boolean noteUnannounced(Call release, LockKey lock) {
        boolean refused = release.elements().size() > 1 && !(release.elements().get(1) instanceof Long);
        if (refused && unannounced.compareAndSet(false, true)) {
            log.warn(
                    "Lock '{}' was released, but that could not be announced; those who wait for it wait longer: {}",
                    lock,
                    failures.announcementRefused(lock, release.elements().get(1).toString()));
        }
        return refused;
    }
}
