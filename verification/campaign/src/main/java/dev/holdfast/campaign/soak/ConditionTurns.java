package dev.holdfast.campaign.soak;

import dev.holdfast.FencedLock;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** The turns at a condition that all clients share: some signal, and the others wait for a signal, for a while. */
final class ConditionTurns {
    private static final long WAIT_MILLIS = 300;

    private final Turn.Setting setting;
    private final Reports reports;
    private final FencedLock lock;
    private final Condition condition;

    ConditionTurns(Turn.Setting setting, Reports reports) {
        this.setting = setting;
        this.reports = reports;
        this.lock = setting.holdfast().getFencedLock(Kind.CONDITION_LOCK);
        this.condition = lock.newCondition();
    }

    @SuppressWarnings("WaitNotInLoop") // there is no state to wait for
    void take() throws InterruptedException {
        OptionalLong token = lock.tryLockAndGetToken(Turns.WAIT);
        if (token.isEmpty()) {
            return;
        }
        try {
            hold(token.getAsLong());
            if (setting.random().nextBoolean()) {
                condition.signalAll();
            } else {
                boolean unused = condition.await(WAIT_MILLIS, TimeUnit.MILLISECONDS);
                hold(lock.getToken());
            }
        } finally {
            lock.unlock();
        }
    }

    private void hold(long token) {
        reports.hold(List.of(lock.name()), lock::isHeldByCurrentThread, 1, 1, token);
    }
}
