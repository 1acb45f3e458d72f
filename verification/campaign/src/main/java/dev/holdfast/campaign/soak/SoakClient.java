package dev.holdfast.campaign.soak;

import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A client of a soak, with an actor for each kind, and two for plain locks. */
final class SoakClient {
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);

    private final Holdfast holdfast;
    private final Duration longestPause;
    private final Gate gate;
    private final Consumer<SoakAnswer> parent;
    private final AtomicLong failed;
    private final List<Thread> actors = new ArrayList<>();
    private volatile boolean closing;

    /** @param failed counts the turns that fail */
    private SoakClient(
            Holdfast holdfast, Duration longestPause, Gate gate, Consumer<SoakAnswer> parent, AtomicLong failed) {
        this.holdfast = holdfast;
        this.longestPause = longestPause;
        this.gate = gate;
        this.parent = parent;
        this.failed = failed;
    }

    /** {@return a client whose actors have begun} */
    static SoakClient open(SoakOrder.Open order, Gate gate, Consumer<SoakAnswer> parent, AtomicLong failed) {
        Duration watchdogTimeout = Duration.ofMillis(order.watchdogMillis());
        SoakClient client = new SoakClient(
                connected(order.redisUri(), watchdogTimeout),
                Duration.ofMillis(order.pauseMillis()),
                gate,
                parent,
                failed);
        for (Kind kind : Kind.values()) {
            client.begin(order.client(), kind, 0);
        }
        client.begin(order.client(), Kind.PLAIN, 1);
        return client;
    }

    /** Retries until it is connected; the parent process limits the time. */
    private static Holdfast connected(String uri, Duration watchdogTimeout) {
        while (true) {
            try {
                return Holdfast.builder()
                        .redisUri(uri)
                        .watchdogTimeout(watchdogTimeout)
                        .commandTimeout(watchdogTimeout.dividedBy(3))
                        .build();
            } catch (LockException notNow) {
                System.err.println(notNow.getMessage());
                LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
            }
        }
    }

    private void begin(int index, Kind kind, int number) {
        Random random = new Random();
        Turn turn = new Turns(kind, new Turn.Setting(holdfast, index, random, parent)).ofKind();
        Thread thread = new Thread(() -> act(turn, random), "actor-" + index + "-" + kind + "-" + number);
        actors.add(thread);
        gate.enter();
        thread.start();
    }

    private void act(Turn turn, Random random) {
        try {
            while (!closing) {
                gate.pass();
                take(turn);
                LockSupport.parkNanos((long) (random.nextDouble() * longestPause.toNanos()));
            }
        } catch (Exception | Error e) {
            e.printStackTrace();
            parent.accept(new SoakAnswer.Failed(Thread.currentThread().getName() + " ended: " + e));
        } finally {
            gate.leave();
        }
    }

    /** A turn may fail while Redis does not answer, when a lease was lost, and when the client is closed. */
    private void take(Turn turn) throws Exception {
        try {
            turn.take();
        } catch (ExecutionException | RuntimeException e) {
            Throwable why = e instanceof ExecutionException ? e.getCause() : e;
            boolean expected = why instanceof LockException || why instanceof LeaseLostException;
            if (!expected && !(closing && why instanceof IllegalStateException)) {
                throw e;
            }
            failed.incrementAndGet();
        }
    }

    /** {@return what is in use} Empty if nothing is held or requested. */
    String residue() {
        return Inside.residue(holdfast);
    }

    /** Closes the client while the actors use it, and waits until they have ended. */
    WeakReference<Holdfast> close() throws InterruptedException {
        closing = true;
        holdfast.close();
        for (Thread actor : actors) {
            actor.join();
        }
        return new WeakReference<>(holdfast);
    }
}
