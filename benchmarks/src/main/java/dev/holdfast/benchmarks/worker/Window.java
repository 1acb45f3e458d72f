package dev.holdfast.benchmarks.worker;

import java.lang.management.ManagementFactory;

/** The time during which a worker counts, and the CPU time its process took in it. */
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

    /** {@return whether what is done now counts} */
    boolean isOpen() {
        return open;
    }

    /** {@return when it was opened} */
    long opened() {
        return opened;
    }

    /** {@return its length, once it is shut} */
    long nanos() {
        return nanos;
    }

    /** {@return the CPU time within, once it is shut} */
    long cpu() {
        return cpu;
    }
}
