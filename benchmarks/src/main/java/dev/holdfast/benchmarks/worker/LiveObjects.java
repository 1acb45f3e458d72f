package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.system.LockClient;
import io.netty.util.Timeout;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** The objects that remain on the heap after a full collection. */
final class LiveObjects {
    /** A line of the JVM's class histogram: a number, instances, bytes, the class's name, and perhaps its module. */
    private static final Pattern LINE =
            Pattern.compile("^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+([\\w.$]+)", Pattern.MULTILINE);

    private static final Pattern TOTAL = Pattern.compile("^Total\\s+\\d+\\s+(\\d+)", Pattern.MULTILINE);

    private LiveObjects() {}

    /**
     * {@return the bytes of all live objects, by the total of the class histogram; the heap in use includes gaps and
     * whole regions as well}
     */
    static long bytes() {
        Matcher total = TOTAL.matcher(histogram());
        if (!total.find()) {
            throw new IllegalStateException("the class histogram has no total");
        }
        return Long.parseLong(total.group(1));
    }

    /**
     * {@return how many timer entries there are} Counts the objects of all classes that are entries of a timer: Netty's
     * timeouts, and tasks of scheduled executors. So entries that were cancelled but not yet removed count too. The
     * deadlines that a client manages itself are added.
     */
    static long timers(List<LockClient> clients) {
        long entries = LINE.matcher(histogram())
                .results()
                .filter(line -> isTimer(line.group(2)))
                .mapToLong(LiveObjects::instances)
                .sum();
        return entries + clients.stream().mapToLong(LockClient::deadlines).sum();
    }

    private static long instances(MatchResult line) {
        return Long.parseLong(line.group(1));
    }

    private static boolean isTimer(String name) {
        try {
            Class<?> type = Class.forName(name, false, LiveObjects.class.getClassLoader());
            return Timeout.class.isAssignableFrom(type) || Delayed.class.isAssignableFrom(type);
        } catch (ClassNotFoundException | LinkageError hidden) {
            return false;
        }
    }

    private static String histogram() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("the JVM provides no class histogram", e);
        }
    }
}
