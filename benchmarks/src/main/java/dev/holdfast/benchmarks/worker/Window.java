package dev.holdfast.benchmarks.worker;

import java.lang.management.ManagementFactory;

/** The time in which a worker counts, and the CPU time that its process used in it. */
final class Window {
    private static final com.sun.management.OperatingSystemMXBean OS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

    private volatile boolean open;
    private long opened;
    private long nanos;
    private long cpu;

    void open() {
        cpu = OS.getProcessCpuTime();
        opened = System.nanoTime();
        open = true;
    }

    void shut() {
        open = false;
        nanos = System.nanoTime() - opened;
        cpu = OS.getProcessCpuTime() - cpu;
    }

    /** {@return whether an event counts at this moment} */
    boolean isOpen() {
        return open;
    }

    /** {@return the time when the window was opened} */
    long opened() {
        return opened;
    }

    /** {@return its length, once it has been shut} */
    long nanos() {
        return nanos;
    }

    /** {@return the CPU time used within it, once it has been shut} */
    long cpu() {
        return cpu;
    }
}
