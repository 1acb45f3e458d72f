package dev.holdfast.internal.view;

import dev.holdfast.LockInfo;
import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.kind.Inspects;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.redis.SubscriberCount;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.TimeLimit;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
     * Reads all fields. The subscriber count is requested at the same time, and left out if Redis does not answer that in
     * time, or does not know it. It is requested once more if there is no connection, or it ends, or the lock moves: there is
     * another one when there is a reply about the key.
     */
    CompletableFuture<LockInfo> inspect(LockKey lock) {
        long untilNanos = untilNanos();
        CompletableFuture<LockInfo> seen = readKey(lock);
        CompletableFuture<OptionalInt> counted = count(lock)
                .thenCompose(call -> isRepeated(call)
                        ? seen.thenCompose(connected -> count(lock))
                        : CompletableFuture.completedFuture(call))
                .thenApply(call -> number(lock, call));
        limit(counted, untilNanos, () -> counted.complete(OptionalInt.empty()));
        return seen.thenCombine(counted, LockInfo::withListeners);
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

    private CompletableFuture<Call> count(LockKey lock) {
        CompletableFuture<Call> counted = new CompletableFuture<>();
        homes.of(lock).send(lock, SubscriberCount.of(lock.channel(), counted::complete));
        return counted;
    }

    private static boolean isRepeated(Call count) {
        return count.outcome() == Call.Outcome.NOT_SENT || count.outcome() == Call.Outcome.UNKNOWN;
    }

    private OptionalInt number(LockKey lock, Call count) {
        return count.outcome() == Call.Outcome.ANSWERED
                        && homes.of(lock).publishing().isCounted()
                ? OptionalInt.of(SubscriberCount.number(count))
                : OptionalInt.empty();
    }

    /** Reads what the lock's key contains, without the subscriber count. */
    CompletableFuture<LockInfo> readKey(LockKey lock) {
        Inspects kind = Inspects.of(lock);
        return query(lock, caller -> kind.inspect(lock, caller), true, call -> kind.read(lock, call.elements())
                .orElseThrow(
                        () -> session.exceptions().wrongType(lock, "lock '" + lock + "'", "hash with other content")));
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

    /**
     * Sends a command and reads its reply, within a command timeout. Until then it is sent again if it was not executed, and
     * if {@code repeatable} also if that is not known: the connection was lost, or the lock moved, before there was a reply
     * that counts. A forced unlock is not repeatable: a second one could hit the next holder. If there has been no connection
     * for a command timeout, it fails at once.
     */
    private <T> CompletableFuture<T> query(
            LockKey lock, Function<Call.Callback, Call> command, boolean repeatable, Function<Call, T> reader) {
        session.admission().requireNotClosed();
        CompletableFuture<T> answer = new CompletableFuture<>();
        Outage outage = homes.of(lock).outage();
        if (outage == null) {
            new Query<>(lock, command, repeatable, reader, answer).begin();
        } else {
            answer.completeExceptionally(session.exceptions().notConnected(lock, outage));
        }
        return answer;
    }

    private final class Query<T> implements Call.Callback {
        private final LockKey lock;
        private final Function<Call.Callback, Call> command;
        private final boolean repeatable;
        private final Function<Call, T> reader;
        private final CompletableFuture<T> answer;
        private final long startNanos = session.now();
        private final long untilNanos = untilNanos();

        /** Why it was not answered, when it was sent last. */
        private volatile @Nullable Throwable trouble;

        Query(
                LockKey lock,
                Function<Call.Callback, Call> command,
                boolean repeatable,
                Function<Call, T> reader,
                CompletableFuture<T> answer) {
            this.lock = lock;
            this.command = command;
            this.repeatable = repeatable;
            this.reader = reader;
            this.answer = answer;
        }

        void begin() {
            send();
            limit(answer, untilNanos, this::fail);
        }

        private void send() {
            locks.commitHandoffs(lock);
            homes.of(lock).send(lock, command.apply(this));
        }

        @Override
        public void completed(Call call) {
            Home home = homes.of(lock);
            home.noteOutcome(call);
            switch (call.outcome()) {
                case ANSWERED -> read(call);
                case REFUSED ->
                    home.errors().explain(call.error(), lock, "lock '" + lock + "'", answer::completeExceptionally);
                case UNKNOWN -> {
                    if (repeatable) {
                        sendAgain(home, call);
                    } else {
                        trouble = call.cause();
                        fail();
                    }
                }
                case NOT_EXECUTED, NOT_SENT -> sendAgain(home, call);
            }
        }

        private void sendAgain(Home home, Call failed) {
            trouble = failed.cause();
            home.connectionWait().await(lock, failed, this::send, untilNanos, this::fail);
        }

        private void read(Call call) {
            try {
                answer.complete(reader.apply(call));
            } catch (RuntimeException e) { // a malformed reply must not keep the caller waiting
                answer.completeExceptionally(e);
            }
        }

        private void fail() {
            answer.completeExceptionally(session.exceptions().unanswered(lock, session.now() - startNanos, trouble));
        }
    }
}
