package dev.holdfast.campaign.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process needs at present.
 *
 * @param heap the bytes that are in use after a collection
 * @param threads that are alive
 * @param descriptors that are open
 */
record Needs(long heap, int threads, long descriptors) {
    /** {@return the needs of this process, after collections: the second one frees what the first one has found to be unreachable} */
    static Needs now() {
        System.gc();
        System.gc();
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Needs(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                system.getOpenFileDescriptorCount());
    }
}
