package dev.holdfast;

import dev.holdfast.testkit.StallDetector;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Logs when the machine stopped during the tests of this process, and at their end how often. A slow or failed run can be
 * judged by that.
 */
public final class MachineStops implements LauncherSessionListener {
    /** The shortest stop that counts. */
    static final Duration SHORTEST = Duration.ofMillis(250);

    private @Nullable StallDetector detector;
    private int stops; // by the detector's thread until that has ended
    private long totalNanos; // the same

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        detector = StallDetector.start(SHORTEST, this::stopped);
    }

    private void stopped(long sinceNanos, long untilNanos) {
        stops++;
        totalNanos += untilNanos - sinceNanos;
        System.out.println("The machine stopped for " + millis(untilNanos - sinceNanos) + " ms.");
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (detector != null) {
            detector.close();
            if (stops > 0) {
                System.out.println("The machine stopped " + stops + " times, " + millis(totalNanos) + " ms in all.");
            }
        }
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
