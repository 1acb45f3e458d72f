package dev.holdfast.consumers;

import dev.holdfast.Holdfast;
import dev.holdfast.shedlock.HoldfastLockProvider;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.TaskResult;

/** Runs a task by ShedLock: arguments are the URI of a Redis, and a prefix for locks. */
public final class ShedLockProgram {
    private ShedLockProgram() {}

    public static void main(String[] args) throws Throwable {
        try (Holdfast holdfast = Holdfast.connect(args[0])) {
            DefaultLockingTaskExecutor tasks =
                    new DefaultLockingTaskExecutor(new HoldfastLockProvider(holdfast, args[1]));
            TaskResult<Boolean> first = tasks.executeWithLock(
                    () -> holdfast.getLock(args[1] + "report").isLocked(), task());
            if (!first.wasExecuted() || !Boolean.TRUE.equals(first.getResult())) {
                throw new AssertionError("the task runs under its lock");
            }
            if (tasks.executeWithLock(() -> true, task()).wasExecuted()) {
                throw new AssertionError("the task does not run again within lockAtLeastFor");
            }
        }
    }

    private static LockConfiguration task() {
        return new LockConfiguration(Instant.now(), "report", Duration.ofMinutes(2), Duration.ofMinutes(1));
    }
}
