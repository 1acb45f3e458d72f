package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract of every kind of lock, wherever it is stored: exclusion, re-entry, ownership, attempts with and without
 * a wait, interruption, cancellation, progress, and that nothing is left behind. To run it, extend it:
 *
 * <pre>{@code
 * final class PlainLockTest extends LockContract {
 *     @Override
 *     protected LockFixture newFixture() {
 *         return new PlainLockFixture(server);
 *     }
 * }
 * }</pre>
 *
 * <p>Each test gets a fixture of its own with two clients, and new names. It waits for states, never for time to pass,
 * except where a time limit of the lock is tested.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class LockContract
        implements ExclusionCases, HoldCases, TryLockCases, InterruptionCases, WakeUpCases, AsyncCases {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Stage stage;

    /** For subclasses. */
    protected LockContract() {}

    /** {@return a new fixture; called once for each test} */
    protected abstract LockFixture newFixture();

    /**
     * The time limit for an event that must happen. Less than the lease of a hold, so that the expiry of the lease
     * cannot stand in for a wake-up.
     */
    protected Duration timeout() {
        return TIMEOUT;
    }

    @Override
    public final Stage stage() {
        return stage;
    }

    @BeforeEach
    final void enterStage() {
        stage = new Stage(newFixture(), timeout());
    }

    /** After every test, nothing of its locks is left: no key, no channel, no entry in a client. */
    @AfterEach
    final void leaveStage() {
        try (Stage left = stage) {
            left.awaitNothingLeft();
        }
    }
}
