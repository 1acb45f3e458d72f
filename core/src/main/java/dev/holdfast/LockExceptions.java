package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.NotExecutedException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions. Each message names the lock and the owner, what happened, and what to do about it. */
final class LockExceptions {
    private static final Pattern DENIED_COMMAND = Pattern.compile("run the '([^']+)' command");

    /** Redis's errors for a stored token that cannot be incremented. */
    private static final Pattern UNCOUNTABLE = Pattern.compile("not an integer or out of range|would overflow");

    private final OwnerIds owners;
    private final Duration commandTimeout;

    LockExceptions(OwnerIds owners, Duration commandTimeout) {
        this.owners = owners;
        this.commandTimeout = commandTimeout;
    }

    IllegalMonitorStateException notHeld(LockKey lock, long ownerId) {
        return new IllegalMonitorStateException(subject(lock, ownerId) + " is not held by it");
    }

    IllegalStateException otherKind(OwnerLane lane, LockKey wanted) {
        return new IllegalStateException("an owner takes a lock as one kind at a time, but " + lane
                + " is held, to be unlocked or under way as the " + kindOf(lane.lock())
                + " lock and was asked for as the "
                + kindOf(wanted) + " one; in Redis the two would be one hold");
    }

    private static String kindOf(LockKey lock) {
        return lock.kind().isFenced() ? "fenced" : "plain";
    }

    LeaseLostException lost(Hold hold, LeaseLoss loss) {
        return new LeaseLostException(
                hold.lane() + " was lost (" + loss.reason() + ": "
                        + loss.reason().explanation() + ") after it had been held for "
                        + loss.held().toMillis() + " ms, "
                        + loss.sinceConfirmed().toMillis()
                        + " ms after Redis last confirmed it",
                loss);
    }

    /** {@return the exception for a hold that has ended: lost, or released} */
    IllegalMonitorStateException gone(Hold hold) {
        LeaseLoss loss = hold.loss();
        return loss == null ? notHeld(hold.lock(), hold.lane().ownerId()) : lost(hold, loss);
    }

    LockException noAnswer(Acquisition acquisition, @Nullable Throwable cause) {
        if (cause instanceof NotExecutedException error) {
            return new LockException(
                    subject(acquisition.lock(), acquisition.ownerId()) + " was not acquired: after "
                            + millisSince(acquisition) + notExecuted(acquisition.lock(), error),
                    cause);
        }
        return new LockException(
                subject(acquisition.lock(), acquisition.ownerId()) + " was not acquired: after "
                        + millisSince(acquisition)
                        + " ms there is no answer from Redis that would say whether it is busy"
                        + because(cause),
                cause);
    }

    LockException grantedTooLate(OwnerLane lane, LeaseRequest lease) {
        return new LockException(
                lane + " was granted, but its lease of " + lease.millis() + " ms had run out before the answer came",
                null);
    }

    LockException closedWhileWaiting(Acquisition acquisition) {
        return new LockException(
                subject(acquisition.lock(), acquisition.ownerId())
                        + " was not acquired: the client was closed (CLOSED)",
                null);
    }

    LockException releaseUnanswered(OwnerLane lane, @Nullable Throwable cause) {
        if (cause instanceof NotExecutedException error) {
            return new LockException(
                    lane + " is not released yet: after " + commandTimeout.toMillis() + notExecuted(lane.lock(), error)
                            + ". It counts as unlocked and is not renewed; the client goes on trying",
                    cause);
        }
        return new LockException(
                lane + " may not be released yet: Redis has given no answer for " + commandTimeout.toMillis()
                        + " ms. It counts as unlocked and is not renewed; the client goes on trying" + because(cause),
                cause);
    }

    LockException extensionUnanswered(OwnerLane lane, Throwable cause) {
        if (cause instanceof NotExecutedException error) {
            return new LockException(
                    lane + " was not extended: after " + commandTimeout.toMillis() + notExecuted(lane.lock(), error),
                    cause);
        }
        return new LockException(
                lane + " may not have been extended: Redis has given no answer for " + commandTimeout.toMillis() + " ms"
                        + because(cause),
                cause);
    }

    LockException unanswered(LockKey lock, Call call) {
        if (call.cause() instanceof NotExecutedException error) {
            return new LockException(
                    "lock '" + lock + "': after " + commandTimeout.toMillis() + notExecuted(lock, error), error);
        }
        return new LockException(
                "lock '" + lock + "': Redis has given no answer" + because(call.cause()), call.cause());
    }

    LockException subscriptionRefused(Acquisition acquisition, Throwable refusal) {
        return new LockException(
                subject(acquisition.lock(), acquisition.ownerId()) + " cannot be waited for: " + refusal.getMessage()
                        + ". If a permission is missing, grant +subscribe and &"
                        + acquisition.lock().channel(),
                refusal);
    }

    /** {@return the exception for a waiter behind another whose attempt was refused} */
    LockException likewise(Acquisition acquisition, RuntimeException why) {
        return new LockException(
                subject(acquisition.lock(), acquisition.ownerId())
                        + " was not acquired: the one ahead of it was refused: " + why.getMessage(),
                why);
    }

    LockException refused(LockKey lock, String subject, String error) {
        return new LockException(subject + ": " + explain(lock, error), null);
    }

    LockException wrongType(LockKey lock, String subject, String type) {
        return anotherProgram(subject, "the key '" + lock.keyText() + "' is a " + type + ", not a lock");
    }

    /** {@return the exception for a wrong type where the lock's own key, by now, is missing or has the right type} */
    LockException otherType(LockKey lock, String subject) {
        String tokens = lock.kind().isFenced() ? "the key '" + lock.tokens() + "' holds no token, or " : "";
        return anotherProgram(subject, tokens + "the key '" + lock.keyText() + "' was no lock until just now");
    }

    private static LockException anotherProgram(String subject, String what) {
        return new LockException(subject + ": " + what + "; another program uses the name", null);
    }

    String announcementRefused(LockKey lock, String error) {
        return explain(lock, error);
    }

    private String subject(LockKey lock, long ownerId) {
        return "lock '" + lock + "' of owner " + owners.describe(ownerId);
    }

    private static long millisSince(Acquisition acquisition) {
        return Duration.ofNanos(acquisition.engine().now() - acquisition.startNanos())
                .toMillis();
    }

    /** {@return the part of a message after the number of milliseconds} */
    private static String notExecuted(LockKey lock, NotExecutedException error) {
        return " ms Redis still does not execute commands: " + explain(lock, error.error());
    }

    private static String because(@Nullable Throwable cause) {
        return cause == null ? "" : " (" + cause.getMessage() + ")";
    }

    /** {@return whether Redis refused the command as such, whatever its keys are} */
    static boolean isOfCommand(String error) {
        return DENIED_COMMAND.matcher(error).find();
    }

    /** Explains Redis's error, and names the permission to grant if one is missing. */
    private static String explain(LockKey lock, String error) {
        if (lock.kind().isFenced() && UNCOUNTABLE.matcher(error).find()) {
            return "the key '" + lock.tokens() + "' holds no number that a token can follow (" + error + ")";
        }
        if (error.contains("READONLY")) {
            return "this Redis is a read-only replica; locks need the master (" + error + ")";
        }
        if (!error.startsWith("NOPERM") && !error.contains("user executing the script")) {
            return error;
        }
        Matcher command = DENIED_COMMAND.matcher(error);
        String right;
        if (command.find()) {
            right = "+" + command.group(1);
        } else if (error.contains("channel")) {
            right = "&" + lock.channel();
        } else if (error.contains("key")) {
            right = "~" + lock.keyText() + (lock.kind().isFenced() ? " ~" + lock.tokens() : "");
        } else {
            right = "+evalsha +eval +script|load +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del +publish"
                    + (lock.kind().isFenced() ? " +time +get +set +incr" : "");
        }
        return "the Redis user may not do this; grant " + right + " (" + error + ")";
    }

    /** {@return an exception of the same type and message, with the stack trace of the calling thread} */
    static RuntimeException seenFromHere(Throwable original) {
        String message = String.valueOf(original.getMessage());
        if (original instanceof LeaseLostException lost) {
            return new LeaseLostException(message, lost.loss());
        }
        if (original instanceof LockException) {
            return new LockException(message, original.getCause());
        }
        if (original instanceof IllegalMonitorStateException) {
            return new IllegalMonitorStateException(message);
        }
        if (original instanceof IllegalStateException) {
            return new IllegalStateException(message, original.getCause());
        }
        return new LockException(message, original);
    }
}
