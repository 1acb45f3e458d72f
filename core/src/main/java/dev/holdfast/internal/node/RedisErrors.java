package dev.holdfast.internal.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.LockExceptions;
import dev.holdfast.internal.session.Session;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the cause of an error from Redis where its message does not name it. */
public final class RedisErrors {
    private static final Logger log = LoggerFactory.getLogger(RedisErrors.class);

    private final Session session;
    private final Home home;
    private final AtomicBoolean unpublished = new AtomicBoolean();

    /** Whether this client lacks a right that it needs to join the lines of clients. */
    private final AtomicBoolean lineless = new AtomicBoolean();

    public RedisErrors(Session session, Home home) {
        this.session = session;
        this.home = home;
    }

    /**
     * Reports why Redis refused a call, once that is known.
     *
     * @param subject the lock and the owner, for the message
     */
    public void explain(Call refused, SynchronizerKey lock, String subject, Consumer<? super RuntimeException> to) {
        boolean answered = refused.outcome() == Call.Outcome.ANSWERED;
        String error =
                answered ? "the reply of Redis lacks the expected value: " + refused.elements() : refused.error();
        explain(error, lock, subject, to);
    }

    /** Reports why Redis refused a command. For a key that is not what it should be, it first queries the type of the key. */
    public void explain(String error, SynchronizerKey lock, String subject, Consumer<? super RuntimeException> to) {
        if (error.contains("WRONGTYPE")) {
            new TypeQuery(lock, subject, error, to).send();
        } else if (lock instanceof LockKey ofLock && LockExceptions.isOfOtherKind(error)) {
            to.accept(session.exceptions().wrongKind(ofLock, subject, error));
        } else {
            to.accept(session.exceptions().refused(lock, subject, error, home.publishing()));
        }
    }

    /**
     * Queries the type of a key that is not what it should be, for the command timeout at most; then reports the original error.
     */
    private final class TypeQuery implements Call.Callback {
        private final SynchronizerKey lock;
        private final String subject;
        private final String error;
        private final Consumer<? super RuntimeException> to;
        private final long untilNanos = session.now() + session.commandTimeoutNanos();

        TypeQuery(SynchronizerKey lock, String subject, String error, Consumer<? super RuntimeException> to) {
            this.lock = lock;
            this.subject = subject;
            this.error = error;
            this.to = to;
        }

        void send() {
            home.send(lock, Call.of(CommandType.TYPE, this, lock.key().getBytes(UTF_8)));
        }

        @Override
        public void completed(Call type) {
            switch (type.outcome()) {
                case ANSWERED -> to.accept(ofType(type.elements().get(0).toString(), lock, subject));
                case NOT_SENT, NOT_EXECUTED -> // to this node, whether or not the lock has moved
                    home.connectionWait().standstill().await(this::send, untilNanos, this::reportError);
                case REFUSED, UNKNOWN -> reportError();
            }
        }

        private void reportError() {
            to.accept(session.exceptions().refused(lock, subject, error, home.publishing()));
        }
    }

    /**
     * A key is of its own type or missing: in that case a companion, such as the tokens' key, is of another type, or the type
     * has changed since.
     */
    private RuntimeException ofType(String type, SynchronizerKey lock, String subject) {
        boolean canBeOurs = type.equals(lock.redisType()) || type.equals("none");
        return canBeOurs
                ? session.exceptions().otherType(lock, subject)
                : session.exceptions().wrongType(lock, subject, type);
    }

    /**
     * {@return whether this client may join the lines of clients, as far as is known} It joins none where a node does not know
     * whether a client is subscribed.
     */
    public boolean mayJoinLines() {
        return !lineless.get() && home.publishing().isCounted();
    }

    /**
     * Redis refused a place in the line of clients for a lock. If that is for lack of a right, this client joins no line
     * any more: it waits for a lock to become free.
     *
     * @return whether it is for lack of a right
     */
    public boolean noteLineRefused(LockKey lock, String error) {
        boolean denied = LockExceptions.isDenied(error);
        if (denied && lineless.compareAndSet(false, true)) {
            log.warn(
                    "Waiters for {} and others join no line of clients, but compete for each release; that needs"
                            + " the rights {} &{}:*: {}",
                    lock.subject(),
                    Enlists.commandRights(),
                    lock.channel(),
                    error);
        }
        return denied;
    }

    /** A lock was released. If Redis refused the message, waiters of other clients wait until the lease ends. */
    public void notePublication(LockKey lock, Publication message) {
        String refusal = message.refusal();
        if (refusal != null && unpublished.compareAndSet(false, true)) {
            log.warn(
                    "Lock '{}' was released, but Redis refused to publish that; waiters of other clients wait until"
                            + " its lease would have ended: {}",
                    lock,
                    session.exceptions().announcementRefused(lock, refusal, home.publishing()));
        }
    }
}
