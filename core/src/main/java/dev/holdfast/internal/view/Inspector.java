package dev.holdfast.internal.view;

import dev.holdfast.LockInfo;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.internal.condition.ConditionKey;
import dev.holdfast.internal.condition.ConditionScripts;
import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Inspects;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PermitsKind;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.node.Query;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.redis.SubscriberCount;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.TimeLimit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the state of a lock from Redis, and forces it open. Independent of the holds of this client. */
final class Inspector {
    private static final Logger log = LoggerFactory.getLogger(Inspector.class);

    private final Session session;
    private final Homes homes;
    private final LocalLocks locks;

    /** @param locks what this client knows of its locks, and Redis may not know yet */
    Inspector(Session session, Homes homes, LocalLocks locks) {
        this.session = session;
        this.homes = homes;
        this.locks = locks;
    }

    /**
     * Reads all fields. The details, which are the subscriber count and the waiters for conditions, are requested at the same time, and
     * left out if Redis does not answer that in time, or does not know them. Each is requested once more if there is no connection,
     * or it ends, or the lock moves: there is another one when there is a reply about the key.
     */
    CompletableFuture<LockInfo> inspect(LockKey lock) {
        return detailed(lock, readKey(lock));
    }

    /** {@link #inspect} of all sides of the lock. */
    CompletableFuture<LockInfo> inspectAllSides(LockKey lock) {
        Inspects kind = Inspects.of(lock);
        return detailed(lock, readKey(lock, state -> kind.readAllSides(lock, state)));
    }

    private CompletableFuture<LockInfo> detailed(LockKey lock, CompletableFuture<LockInfo> seen) {
        CompletableFuture<OptionalInt> listeners = detail(
                lock,
                seen,
                caller -> SubscriberCount.of(lock.channel(), caller),
                call -> number(lock, call),
                OptionalInt.empty());
        ConditionKey conditions = new ConditionKey(lock);
        CompletableFuture<Map<String, List<String>>> waiters = detail(
                lock,
                seen,
                caller -> ConditionScripts.inspect(conditions, caller),
                ConditionScripts::waiters,
                Map.of());
        return seen.thenCombine(listeners, LockInfo::withListeners)
                .thenCombine(waiters, LockInfo::withConditionWaiters);
    }

    private <T> CompletableFuture<T> detail(
            LockKey lock,
            CompletableFuture<LockInfo> seen,
            Function<Call.Callback, Call> command,
            Function<Call, T> reader,
            T unknown) {
        long untilNanos = untilNanos();
        CompletableFuture<T> detail = send(lock, command)
                .thenCompose(call -> isRepeated(call)
                        ? seen.thenCompose(connected -> send(lock, command))
                        : CompletableFuture.completedFuture(call))
                .thenApply(call -> call.outcome() == Call.Outcome.ANSWERED ? reader.apply(call) : unknown);
        limit(detail, untilNanos, () -> detail.complete(unknown));
        return detail;
    }

    /** {@return when a query that begins now has to end: it is a call without a wait} */
    private long untilNanos() {
        return session.now() + session.commandTimeoutNanos();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // cancelling does not fail
    private void limit(CompletableFuture<?> answer, long untilNanos, Runnable over) {
        if (!answer.isDone()) {
            TimeLimit limit = TimeLimit.at(session.deadlines(), untilNanos, over);
            answer.whenComplete((answered, failure) -> limit.cancel());
        }
    }

    private CompletableFuture<Call> send(LockKey lock, Function<Call.Callback, Call> command) {
        CompletableFuture<Call> sent = new CompletableFuture<>();
        homes.of(lock).send(lock, command.apply(sent::complete));
        return sent;
    }

    private static boolean isRepeated(Call sent) {
        return sent.outcome() == Call.Outcome.NOT_SENT || sent.outcome() == Call.Outcome.UNKNOWN;
    }

    private OptionalInt number(LockKey lock, Call count) {
        return homes.of(lock).publishing().isCounted()
                ? OptionalInt.of(SubscriberCount.number(count))
                : OptionalInt.empty();
    }

    /** Reads what the lock's key contains, without the details. */
    CompletableFuture<LockInfo> readKey(LockKey lock) {
        Inspects kind = Inspects.of(lock);
        return readKey(lock, state -> kind.read(lock, state));
    }

    private CompletableFuture<LockInfo> readKey(LockKey lock, Function<List<Object>, Optional<LockInfo>> reader) {
        Inspects kind = Inspects.of(lock);
        return query(lock, caller -> kind.inspect(lock, caller), true, call -> {
            String other = kind.otherKind(lock, call.elements());
            if (other != null) {
                throw session.exceptions().wrongKind(lock, "lock '" + lock + "'", "WRONGKIND " + other);
            }
            return reader.apply(call.elements()).orElseThrow(() -> session.exceptions()
                    .wrongType(lock, "lock '" + lock + "'", "hash with other content"));
        });
    }

    CompletableFuture<Boolean> forceUnlock(LockKey lock) {
        return query(lock, caller -> Inspects.of(lock).forceUnlock(lock, caller), false, call -> {
            homes.of(lock).errors().notePublication(lock, Publication.of(call));
            boolean wasHeld = call.number() == 1;
            log.info(
                    "Client {} has forced lock '{}' open, which {}",
                    session.owners().describeClient(),
                    lock,
                    wasHeld ? "was held" : "was free");
            return wasHeld;
        });
    }

    /** Reads the state of a semaphore. */
    CompletableFuture<SemaphoreInfo> readSemaphore(LockKey semaphore) {
        return read(
                semaphore, call -> PermitsKind.read(semaphore, call.elements()).orElseThrow(() -> session.exceptions()
                        .wrongType(semaphore, semaphore.subject(), "hash with other content")));
    }

    private <T> CompletableFuture<T> read(LockKey semaphore, Function<Call, T> reader) {
        return query(semaphore, caller -> permits(semaphore).inspect(semaphore, caller), true, reader);
    }

    private static PermitsKind permits(LockKey semaphore) {
        if (semaphore.kind() instanceof PermitsKind kind) {
            return kind;
        }
        throw new IllegalArgumentException(semaphore.subject() + " is no semaphore");
    }

    /**
     * Releases the permits of an owner, by the tenure with which it has them: what that owner, or another one, acquires later is not
     * concerned.
     */
    CompletableFuture<Boolean> forceRelease(LockKey semaphore, String owner) {
        return read(semaphore, call -> Optional.ofNullable(PermitsKind.claimOf(semaphore, owner, call.elements())))
                .thenCompose(held -> held.map(this::forceRelease).orElse(CompletableFuture.completedFuture(false)));
    }

    private CompletableFuture<Boolean> forceRelease(Claim held) {
        LockKey semaphore = held.lock();
        return query(semaphore, caller -> semaphore.kind().release(held, caller), false, call -> {
            homes.of(semaphore).errors().notePublication(semaphore, Publication.of(call));
            boolean wasHeld = call.number() == held.tenure();
            log.info(
                    "Client {} has released {} by force, which {}",
                    session.owners().describeClient(),
                    held,
                    wasHeld ? "was held" : "had ended");
            return wasHeld;
        });
    }

    /**
     * Sends a command and reads its reply, within a command timeout. If it is not {@code repeatable}, it is not sent again after
     * an outcome that is not known: a second forced unlock could hit the next holder. If there has been no connection for a
     * command timeout, it fails at once.
     */
    private <T> CompletableFuture<T> query(
            LockKey lock, Function<Call.Callback, Call> command, boolean repeatable, Function<Call, T> reader) {
        session.admission().requireNotClosed();
        Outage outage = homes.of(lock).outage();
        if (outage != null) {
            return CompletableFuture.failedFuture(session.exceptions().notConnected(lock, outage));
        }
        Query<T> query = new Query<>(session, homes, lock, repeatable, session.commandTimeoutNanos()) {
            @Override
            protected Call call(Home home) {
                locks.commitHandoffs(lock);
                return command.apply(this);
            }

            @Override
            protected void answered(Call call) {
                complete(reader.apply(call));
            }
        };
        query.beginLimited();
        return query.answer();
    }
}
