package dev.holdfast.cli;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for a state that another process brings about, which takes long to start on a busy machine. */
public final class ProcessWait {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private ProcessWait() {}

    public static void eventually(Callable<Boolean> state) {
        await().atMost(TIMEOUT).until(state);
    }
}
