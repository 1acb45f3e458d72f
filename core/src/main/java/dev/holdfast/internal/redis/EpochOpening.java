package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is sent on a new connection before its {@link Epoch} accepts calls.
 *
 * <pre>
 *   the {@link Routing} may ask which server this is, the scripts are loaded, and the {@link StaleConnections} are killed, so
 *   that none of their calls is executed late
 *        |
 *   the {@link Routing} has confirmed that the server was not deposed
 *        |
 *   the first calls of the listener are executed; no other call is sent before them
 *        |
 *      open
 * </pre>
 *
 * <p>Each step begins on the I/O thread, with the reply to the one before. A step that was not executed is repeated after
 * a pause, with all of its calls. If the connection ends, nothing follows.
 */
final class EpochOpening {
    /** The link that the epoch belongs to. Its methods are called on the I/O thread. */
    interface Link {
        /** Sends a call in an epoch that is not open yet. */
        void send(Epoch epoch, Call call);

        /** {@return whether the epoch has not ended} Called on any thread. */
        boolean isCurrent(Epoch epoch);

        /**
         * Runs a step that calls the listener, unless the epoch has ended. The calling thread is the I/O thread of the
         * connection from now on.
         *
         * @return false if another thread is still reporting an earlier epoch: the step has to come later
         */
        boolean inTurn(Epoch epoch, Runnable report);

        /** The epoch does not accept calls for this reason so far. */
        void notYet(Throwable why);

        /** Has the listener send its first calls. */
        void sendFirst(Consumer<Call> first);

        /** The epoch accepts calls from now on. */
        void open(Epoch epoch);
    }

    private static final Logger log = LoggerFactory.getLogger(EpochOpening.class);

    /** The pause before a step is repeated for the first time; it doubles each time. */
    private static final long SHORTEST_NANOS = Duration.ofMillis(50).toNanos();

    /** The longest pause: a server may be a replica for hours, and have many clients. */
    private static final long LONGEST_NANOS = Duration.ofMillis(400).toNanos();

    private final Epoch epoch;
    private final StaleConnections earlier;
    private final List<Script> scripts;
    private final Routing routing;
    private final Deadlines deadlines;
    private final Link link;

    /** Used by the thread that repeats a step. */
    private volatile long pauseNanos = SHORTEST_NANOS;

    EpochOpening(
            Epoch epoch,
            StaleConnections earlier,
            List<Script> scripts,
            Routing routing,
            Deadlines deadlines,
            Link link) {
        this.epoch = epoch;
        this.earlier = earlier;
        this.scripts = scripts;
        this.routing = routing;
        this.deadlines = deadlines;
        this.link = link;
    }

    void begin() {
        routing.connected(epoch.server(), this::send);
        killEarlier();
        for (Script script : scripts) {
            send(Call.of(CommandType.SCRIPT, EpochOpening::noteLoaded, "LOAD".getBytes(US_ASCII), script.source()));
        }
    }

    private void send(Call call) {
        link.send(epoch, call);
    }

    private static void noteLoaded(Call load) {
        if (load.outcome() == Call.Outcome.REFUSED) {
            log.debug("SCRIPT LOAD was refused, each script is sent in full once: {}", load.error());
        }
    }

    private void killEarlier() {
        earlier.kill(this::send, this::confirm, why -> again(why, this::killEarlier));
    }

    /** Goes on on the I/O thread, whichever thread completes the stage. */
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void confirm() {
        CompletableFuture<?> confirmed = routing.confirm(this::send).toCompletableFuture();
        if (confirmed.isDone() && !confirmed.isCompletedExceptionally()) {
            inTurn(this::sendFirst);
            return;
        }
        confirmed.whenComplete((yes, failure) -> {
            if (failure == null) {
                ping(() -> inTurn(this::sendFirst));
            } else {
                again(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure,
                        this::confirm);
            }
        });
    }

    /** While another thread still reports an earlier epoch, a PING is sent, and this is tried again with its reply. */
    private void inTurn(Runnable step) {
        if (!link.inTurn(epoch, step)) {
            ping(() -> inTurn(step));
        }
    }

    /** Runs the step on the I/O thread, after the callbacks of all calls sent before, unless the epoch has ended. */
    private void ping(Runnable step) {
        send(Call.of(CommandType.PING, answer -> {
            switch (answer.outcome()) {
                case ANSWERED, REFUSED, NOT_EXECUTED -> step.run();
                case UNKNOWN, NOT_SENT -> log.debug("A connection ended before it took calls", answer.cause());
            }
        }));
    }

    private void sendFirst() {
        List<Call> first = new ArrayList<>();
        link.sendFirst(call -> {
            first.add(call);
            send(call);
        });
        if (first.isEmpty()) {
            link.open(epoch);
        } else {
            ping(() -> answeredFirst(first));
        }
    }

    private void answeredFirst(List<Call> first) {
        for (Call call : first) {
            Throwable cause = call.cause();
            if (call.outcome() == Call.Outcome.NOT_EXECUTED && cause != null) {
                again(cause, () -> ping(() -> inTurn(this::sendFirst)));
                return;
            }
        }
        inTurn(() -> link.open(epoch));
    }

    /** Repeats a step after a pause, unless the epoch has ended. */
    private void again(Throwable why, Runnable step) {
        link.notYet(why);
        Deadline pause = Deadline.of(() -> {
            if (link.isCurrent(epoch)) {
                step.run();
            }
        });
        long nanos = pauseNanos;
        pauseNanos = Math.min(2 * nanos, LONGEST_NANOS);
        if (!deadlines.schedule(pause, deadlines.nanoTime() + nanos)) {
            log.debug("A connection takes no calls: the client is closed");
        }
    }
}
