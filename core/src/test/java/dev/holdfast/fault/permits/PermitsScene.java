package dev.holdfast.fault.permits;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** A semaphore that several clients use. */
final class PermitsScene {
    static final String NAME = "orders:42";

    static final String KEY = "holdfast_semaphore:{orders:42}";

    static final String CHANNEL = "holdfast__channel:" + KEY;

    /** The lease of a grant to a cautious client: its command timeout. */
    static final Duration CLAIM = Duration.ofMillis(600);

    private final FaultyRedis faulty;
    private final Holdfast observer;

    PermitsScene(FaultyRedis faulty) {
        this.faulty = faulty;
        this.observer = faulty.bystander();
    }

    /** {@return the semaphore in another client, which no fault affects} */
    DistributedSemaphore others(int permits) {
        return faulty.bystander().getSemaphore(NAME, permits);
    }

    /** {@return the semaphore in a client behind the proxy, which attempts after {@link #CLAIM} without a message} */
    DistributedSemaphore cautious(int permits) {
        return faulty.client(builder -> builder.commandTimeout(CLAIM)).getSemaphore(NAME, permits);
    }

    /** {@return the semaphore in a client behind the proxy, which waits for messages and replies longer than a test lasts} */
    DistributedSemaphore patient(int permits) {
        return faulty.patientClient().getSemaphore(NAME, permits);
    }

    /** {@return the state in Redis} */
    SemaphoreInfo seen() {
        return observer.getSemaphore(NAME, 1).inspect();
    }

    /** {@return an acquisition of these permits, once so many clients are in line} */
    CompletableFuture<Permits> join(DistributedSemaphore semaphore, int permits, int place) {
        CompletableFuture<Permits> waiting = semaphore.acquireAsync(permits);
        awaitInLine(place);
        return waiting;
    }

    /** Waits until so many clients are in line. */
    void awaitInLine(int clients) {
        eventually(() -> seen().line().size() == clients);
    }

    /** Asserts that these permits, and no others, are held in Redis, as the counts and the holds there say. */
    void assertHeld(Permits... held) {
        SemaphoreInfo now = seen();
        assertThat(now.holders())
                .extracting(SemaphoreInfo.Holder::number)
                .containsExactlyInAnyOrder(
                        Arrays.stream(held).map(Permits::number).toArray(Integer[]::new));
        int permits = Arrays.stream(held).mapToInt(Permits::permits).sum();
        assertThat(now.held()).isEqualTo(permits);
        assertThat(counted()).isEqualTo(permits);
    }

    /** {@return how many permits are held, as the script that grants others counts them} */
    private int counted() {
        String state = String.valueOf(faulty.server().command("HGET", KEY, "state"));
        return state.equals("null") ? 0 : Integer.parseInt(state.substring(0, state.indexOf(' ')));
    }
}
