package dev.holdfast.campaign.worker;

import java.util.List;
import java.util.Set;

/** The threads that were started since a moment, except those that the JDK starts once and keeps. */
final class LeftThreads {
    private static final List<String> OF_THE_JDK = List.of(
            "CompletableFutureDelayScheduler", "ForkJoinPool.", "process reaper", "Attach Listener", "Cleaner-");

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    private LeftThreads() {}

    static LeftThreads since() {
        return new LeftThreads();
    }

    /** {@return the names of those that are alive} */
    List<String> names() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.isAlive())
                .map(Thread::getName)
                .filter(name -> OF_THE_JDK.stream().noneMatch(name::startsWith))
                .map(name -> "thread " + name)
                .toList();
    }
}
