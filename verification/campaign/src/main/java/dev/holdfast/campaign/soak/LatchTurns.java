package dev.holdfast.campaign.soak;

import dev.holdfast.DistributedCountDownLatch;
import java.time.Duration;

/**
 * The turns at a latch that two clients share, in different processes: one sets it and awaits it, and the other one counts it down.
 * Nothing of it is left after a turn but the record of its openings, under one name.
 */
final class LatchTurns {
    private static final Duration LIFETIME = Turns.WAIT.multipliedBy(2);

    private final Reports reports;
    private final DistributedCountDownLatch latch;
    private final boolean awaits;

    LatchTurns(Turn.Setting setting, Reports reports) {
        int pair = setting.client() / (2 * Pace.PER_PROCESS) * Pace.PER_PROCESS + setting.client() % Pace.PER_PROCESS;
        this.reports = reports;
        this.latch = setting.holdfast().getCountDownLatch("latch-" + pair);
        this.awaits = setting.client() / Pace.PER_PROCESS % 2 == 0;
    }

    void take() throws InterruptedException {
        if (awaits) {
            latch.trySetCount(1, LIFETIME);
            if (latch.await(Turns.WAIT)) {
                reports.used();
            } else {
                latch.delete();
            }
        } else {
            latch.countDown();
            reports.used();
        }
    }
}
