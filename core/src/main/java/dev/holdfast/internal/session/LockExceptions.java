package dev.holdfast.internal.session;

import dev.holdfast.LatchGoneException;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.WrongKindException;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.internal.redis.NotReplicatedException;
import dev.holdfast.internal.redis.Outage;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions. Each message names the lock and the owner, what happened, and what to do about it. */
public final class LockExceptions {
    private static final Pattern DENIED_COMMAND = Pattern.compile("run the '([^']+)' command");

    /** Of a server, proxy or service that lacks it; Redis 6.2 quotes the name by backticks. */
    private static final Pattern UNKNOWN_COMMAND = Pattern.compile("ERR unknown command ['`]?(\\w+)['`]?");

    /** Of a command that a script calls, which Redis does not name; Valkey leaves out its own name as well. */
    private static final Pattern UNKNOWN_IN_SCRIPT = Pattern.compile("Unknown (Redis )?command called from");

    /** What a script replies that has found a lock of another kind, which it names. */
    private static final Pattern WRONG_KIND = Pattern.compile("WRONGKIND ([a-z-]+ lock)");

    private static final String RELEASE_RETRIED =
            ". It counts as unlocked and is not renewed; the client retries the release until the lease has run out";

    private static final String DELAY_UNCONFIRMED =
            ". It counts as closed and is not renewed: the lock may be free before the delay has passed";

    private final OwnerIds owners;

    LockExceptions(OwnerIds owners) {
        this.owners = owners;
    }

    public IllegalMonitorStateException notHeld(LockKey lock, long ownerId) {
        return new IllegalMonitorStateException(subject(lock, ownerId) + " is not held by it");
    }

    /**
     * The owner uses the lock as another kind.
     *
     * @param taken the key of that other kind
     */
    public IllegalStateException otherKind(LockKey taken, long ownerId, LockKey wanted) {
        return new IllegalStateException("an owner may use a lock as one kind at a time: " + subject(taken, ownerId)
                + " is in use as the " + kindOf(taken)
                + " lock, and was requested as the "
                + kindOf(wanted) + " one; in Redis the two would be one hold");
    }

    /** The owner has the read lock, and wants the write lock. */
    public IllegalStateException upgrade(LockKey lock, long ownerId) {
        return new IllegalStateException(subject(lock, ownerId)
                + " was not acquired for writing: its owner holds the read lock, and would wait for itself. Release the read"
                + " lock first; or acquire the write lock first, then the read lock, and release the write lock");
    }

    private static String kindOf(LockKey lock) {
        return lock.type().name().toLowerCase(Locale.ROOT);
    }

    public LeaseLostException lost(LockKey lock, long ownerId, LeaseLoss loss) {
        return new LeaseLostException(
                subject(lock, ownerId) + " was lost (" + loss.reason() + ": "
                        + loss.reason().explanation() + ") after it had been held for "
                        + loss.held().toMillis() + " ms, "
                        + loss.sinceConfirmed().toMillis()
                        + " ms after Redis last confirmed it",
                loss);
    }

    /**
     * No reply says whether the lock is busy.
     *
     * @param waitedNanos the time since the call began
     */
    public LockException noAnswer(LockKey lock, long ownerId, long waitedNanos, @Nullable Throwable cause) {
        String after =
                subject(lock, ownerId) + " was not acquired: after " + TimeUnit.NANOSECONDS.toMillis(waitedNanos);
        return withoutReply(
                lock, cause, after, after + " ms there is no answer from Redis that would say whether it is busy", "");
    }

    /** A call without a wait finds that there has been no connection for a while. */
    public LockException notConnected(LockKey lock, long ownerId, Outage outage) {
        return notConnected(subject(lock, ownerId) + " was not acquired", names(lock), outage);
    }

    /**
     * A call without a wait was to enter locks again, and finds that there has been no connection for a while.
     *
     * @param what the locks
     * @param names their names
     */
    public LockException reentryNotConnected(String what, List<String> names, Outage outage) {
        return notConnected(what + " were not entered again", names, outage);
    }

    private static LockException notConnected(String what, List<String> names, Outage outage) {
        return new LockException(
                what + ": there has been no connection to Redis for " + millis(outage.nanos()) + " ms"
                        + because(outage.why()),
                outage.why(),
                names);
    }

    /**
     * No reply says whether all of several locks are busy.
     *
     * @param what the locks
     * @param names their names
     * @param waitedNanos the time since the call began
     */
    public LockException noAnswer(String what, List<String> names, long waitedNanos, @Nullable Throwable cause) {
        return new LockException(
                what + " was not acquired: after " + TimeUnit.NANOSECONDS.toMillis(waitedNanos)
                        + " ms there is no answer from Redis that would say whether all are busy" + because(cause),
                cause,
                names);
    }

    /**
     * No reply says whether a thread holds locks that it was to enter again.
     *
     * @param what the locks
     * @param names their names
     * @param waitedNanos the time since the call began
     */
    public LockException reentryUnanswered(String what, List<String> names, long waitedNanos) {
        return new LockException(
                what + " were not entered again: after " + TimeUnit.NANOSECONDS.toMillis(waitedNanos)
                        + " ms there is no answer from Redis that would say whether they are held",
                null,
                names);
    }

    public LockException notReplicated(LockKey lock, long ownerId, NotReplicatedException why) {
        return new LockException(
                subject(lock, ownerId) + " was granted and given back, because it is not replicated: "
                        + why.getMessage(),
                why,
                names(lock));
    }

    public LockException grantedTooLate(LockKey lock, long ownerId, long leaseMillis) {
        return new LockException(
                subject(lock, ownerId) + " was granted, but its lease of " + leaseMillis
                        + " ms had run out before the answer came",
                null,
                names(lock));
    }

    public LockException closedWhileWaiting(LockKey lock, long ownerId) {
        return new LockException(
                subject(lock, ownerId) + " was not acquired: the client was closed (CLOSED)", null, names(lock));
    }

    /** {@return the exception for a release that has failed, of a lock that counted as held until it began} */
    public static ReleaseUnconfirmedException unconfirmed(RuntimeException failure) {
        List<String> names = failure instanceof LockException known ? known.names() : List.of();
        return new ReleaseUnconfirmedException(String.valueOf(failure.getMessage()), failure.getCause(), names);
    }

    /**
     * No reply says whether the lock is released.
     *
     * @param waitedNanos the time since the call began
     */
    public LockException releaseUnanswered(LockKey lock, long ownerId, long waitedNanos, @Nullable Throwable cause) {
        String subject = subject(lock, ownerId);
        return unanswered(
                lock,
                waitedNanos,
                cause,
                subject + " is not released yet",
                subject + " may not be released yet",
                RELEASE_RETRIED);
    }

    /**
     * No reply says whether Redis keeps the lock busy for the delay with which its lease was closed.
     *
     * @param waitedNanos the time since the call began
     */
    public LockException delayUnanswered(LockKey lock, long ownerId, long waitedNanos, @Nullable Throwable cause) {
        String subject = subject(lock, ownerId);
        return unanswered(
                lock,
                waitedNanos,
                cause,
                subject + " is not kept busy",
                subject + " may not be kept busy",
                DELAY_UNCONFIRMED);
    }

    /**
     * No reply says whether the lease is extended.
     *
     * @param waitedNanos the time since the call began
     */
    public LockException extensionUnanswered(LockKey lock, long ownerId, long waitedNanos, Throwable cause) {
        String subject = subject(lock, ownerId);
        return unanswered(
                lock, waitedNanos, cause, subject + " was not extended", subject + " may not have been extended", "");
    }

    /**
     * A question about a lock has no reply.
     *
     * @param waitedNanos the time since the call began
     */
    public LockException unanswered(SynchronizerKey lock, long waitedNanos, @Nullable Throwable cause) {
        return unanswered(lock, waitedNanos, cause, lock.subject(), lock.subject(), "");
    }

    /** A question about a lock finds that there has been no connection for a while. */
    public LockException notConnected(SynchronizerKey lock, Outage outage) {
        return notConnected(lock.subject(), names(lock), outage);
    }

    private static LockException unanswered(
            SynchronizerKey lock,
            long waitedNanos,
            @Nullable Throwable cause,
            String refused,
            String silent,
            String then) {
        long millis = millis(waitedNanos);
        return withoutReply(
                lock,
                cause,
                refused + ": after " + millis,
                silent + ": Redis has given no answer for " + millis + " ms",
                then);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /**
     * {@return the exception for a command without a reply that decides}
     *
     * @param refused how the message begins if Redis did not execute the command; ends with the time in milliseconds
     * @param silent how it begins otherwise
     * @param then what the client does about it
     */
    private static LockException withoutReply(
            SynchronizerKey lock, @Nullable Throwable cause, String refused, String silent, String then) {
        String message = cause instanceof NotExecutedException error
                ? refused + notExecuted(lock, error) + then
                : silent + then + because(cause);
        return new LockException(message, cause, names(lock));
    }

    public LockException subscriptionRefused(LockKey lock, long ownerId, Throwable refusal) {
        return new LockException(
                subject(lock, ownerId) + " cannot be waited for: " + subscriptionRefusal(lock, refusal),
                refusal,
                names(lock));
    }

    public LockException conditionRefused(SynchronizerKey condition, Throwable refusal) {
        return new LockException(
                condition.subject() + " cannot be waited for: " + subscriptionRefusal(condition, refusal),
                refusal,
                names(condition));
    }

    public LockException conditionClosed(SynchronizerKey condition) {
        return new LockException(
                condition.subject() + " cannot be waited for: the client was closed (CLOSED)", null, names(condition));
    }

    /** {@return why the client cannot subscribe, and the right to grant if that is missing} */
    public static String subscriptionRefusal(SynchronizerKey key, Throwable refusal) {
        String why = String.valueOf(refusal.getMessage());
        return why.contains("unknown command")
                ? why
                : why + ". If a permission is missing, grant +subscribe and &" + key.channel();
    }

    /** {@return the exception for a waiter behind another whose attempt was refused} */
    public LockException likewise(LockKey lock, long ownerId, RuntimeException why) {
        String message = subject(lock, ownerId) + " was not acquired: the attempt of another waiter was refused: "
                + why.getMessage();
        return why instanceof WrongKindException
                ? new WrongKindException(message, names(lock))
                : new LockException(message, why, names(lock));
    }

    /**
     * No reply says whether a latch was changed.
     *
     * @param waitedNanos the time since the call began
     */
    public LockException changeUnanswered(SynchronizerKey latch, long waitedNanos, @Nullable Throwable cause) {
        return unanswered(
                latch,
                waitedNanos,
                cause,
                latch.subject() + " was not changed",
                latch.subject() + " may not have been changed",
                "");
    }

    public LockException refused(SynchronizerKey lock, String subject, String error, Publishing by) {
        return new LockException(subject + ": " + explain(lock, error, by), null, names(lock));
    }

    public LockException wrongType(SynchronizerKey lock, String subject, String type) {
        return anotherProgram(lock, subject, "the key '" + lock.key() + "' is a " + type + ", not a " + lock.noun());
    }

    /**
     * {@return the exception for a key that has a lock of another kind}
     *
     * @param error of the script, which names that kind
     */
    public WrongKindException wrongKind(LockKey lock, String subject, String error) {
        Matcher found = WRONG_KIND.matcher(error);
        return new WrongKindException(
                subject + ": the key '" + lock.key() + "' is in use as another kind of lock, "
                        + (found.find() ? "the " + found.group(1) : "which is not known")
                        + ", and was requested as the " + kindOf(lock) + " lock",
                names(lock));
    }

    /** {@return whether a script has found a lock of another kind} */
    public static boolean isOfOtherKind(String error) {
        return WRONG_KIND.matcher(error).find();
    }

    /** {@return the exception for a wrong type where the lock's own key, by now, is missing or has the right type} */
    public LockException otherType(SynchronizerKey lock, String subject) {
        String others = lock.keys().stream()
                .skip(1)
                .map(key -> "the key '" + key + "' is of another type, or ")
                .collect(Collectors.joining());
        return anotherProgram(
                lock, subject, others + "the key '" + lock.key() + "' was no " + lock.noun() + " until just now");
    }

    private static LockException anotherProgram(SynchronizerKey lock, String subject, String what) {
        return new LockException(subject + ": " + what + "; another program uses the name", null, names(lock));
    }

    private static List<String> names(SynchronizerKey lock) {
        return List.of(lock.name());
    }

    public String announcementRefused(SynchronizerKey lock, String error, Publishing by) {
        return explain(lock, error, by);
    }

    private String subject(LockKey lock, long ownerId) {
        return lock.subject() + " of owner " + owners.describe(ownerId);
    }

    /** {@return the part of a message after the number of milliseconds} */
    private static String notExecuted(SynchronizerKey lock, NotExecutedException error) {
        return " ms Redis still does not execute commands: " + explain(lock, error.error(), Publishing.SINGLE);
    }

    private static String because(@Nullable Throwable cause) {
        return cause == null ? "" : " (" + cause.getMessage() + ")";
    }

    /**
     * {@return whether the user lacks a right}
     *
     * <p>What a script may not do is worded as "The user executing the script can't .." before Redis 7.2, and as "ACL
     * failure in script: .." since.
     */
    public static boolean isDenied(String error) {
        return error.startsWith("NOPERM")
                || error.contains("user executing the script")
                || error.contains("ACL failure in script");
    }

    /** {@return whether the reply shows that another program has written to the lock's key} */
    public static boolean isOfOtherProgram(Call refused) {
        return refused.outcome() == Call.Outcome.ANSWERED || refused.error().contains("WRONGTYPE");
    }

    /** {@return whether Redis refused the command as such, whatever its keys are} */
    public static boolean isOfCommand(String error) {
        return DENIED_COMMAND.matcher(error).find()
                || UNKNOWN_COMMAND.matcher(error).find();
    }

    /** Explains Redis's error, and names the permission to grant if one is missing. */
    private static String explain(SynchronizerKey lock, String error, Publishing by) {
        String ofKind = lock.explain(error);
        if (ofKind != null) {
            return ofKind;
        }
        if (error.contains("READONLY")) {
            return "this Redis is a read-only replica; locks need the master (" + error + ")";
        }
        Matcher unknown = UNKNOWN_COMMAND.matcher(error);
        if (unknown.find()) {
            return "Redis, or a proxy before it, does not have the command " + unknown.group(1) + ", which locks need ("
                    + unknown.group() + ")";
        }
        if (UNKNOWN_IN_SCRIPT.matcher(error).find()) {
            return "Redis does not have one of the commands that this " + lock.noun() + " needs, "
                    + lock.commandRights() + " " + by.right() + " (" + error + ")";
        }
        if (!isDenied(error)) {
            return error;
        }
        Matcher command = DENIED_COMMAND.matcher(error);
        String right;
        if (command.find()) {
            right = "+" + command.group(1);
        } else if (error.contains("channel")) {
            right = "&" + lock.channel();
        } else if (error.contains("key")) {
            right = "~" + String.join(" ~", lock.keys());
        } else {
            right = lock.commandRights() + " " + by.right();
        }
        return "the Redis user may not do this; grant " + right + " (" + error + ")";
    }

    /**
     * {@return an exception of the same type and message, with the stack trace of the calling thread} What the original one
     * has suppressed, it has too.
     */
    public static RuntimeException seenFromHere(Throwable original) {
        RuntimeException here = copy(original, String.valueOf(original.getMessage()));
        for (Throwable suppressed : original.getSuppressed()) {
            here.addSuppressed(suppressed);
        }
        return here;
    }

    private static RuntimeException copy(Throwable original, String message) {
        if (original instanceof LeaseLostException lost) {
            return new LeaseLostException(message, lost.loss());
        }
        if (original instanceof ReleaseUnconfirmedException unconfirmed) {
            return new ReleaseUnconfirmedException(message, original.getCause(), unconfirmed.names());
        }
        if (original instanceof WrongKindException wrong) {
            return new WrongKindException(message, wrong.names());
        }
        if (original instanceof LatchGoneException gone) {
            return new LatchGoneException(message, gone.reason(), gone.names());
        }
        if (original instanceof LockException failure) {
            return new LockException(message, original.getCause(), failure.names());
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
