package dev.holdfast.internal.topology;

import dev.holdfast.internal.redis.NodeAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that sentinels have reported as replaced. Most sentinels may still name such an address, because they do
 * not have the message of the failover yet; the server there accepts writes until they reconfigure it. So the address is not believed
 * until
 *
 * <ul>
 *   <li>another one was elected,
 *   <li>a sentinel reports it as the new one, or
 *   <li>the sentinel that had reported it as replaced names it again: then it is the new one, and the report of that was
 *       missed.
 * </ul>
 */
final class ReplacedMasters {
    /**
     * The sentinel that reported that an address was replaced.
     *
     * @param number of the report
     */
    private record Report(Object by, int number) {}

    // All below is guarded by this.
    private final Map<NodeAddress, Report> reports = new HashMap<>();
    private int number;

    /** {@return the number of reports so far} */
    synchronized int reports() {
        return number;
    }

    /** A sentinel reports a failover. */
    synchronized void reported(Object sentinel, NodeAddress from, NodeAddress to) {
        number++;
        reports.put(from, new Report(sentinel, number));
        reports.remove(to);
    }

    /**
     * A sentinel names an address as that of the master.
     *
     * @param address null if it names none
     * @param reports how many reports there had been when it was asked: an answer to an earlier question is no news
     */
    synchronized void named(Object sentinel, @Nullable NodeAddress address, int reports) {
        Report report = this.reports.get(address);
        if (report != null && report.by().equals(sentinel) && report.number() <= reports) {
            this.reports.remove(address);
        }
    }

    /** {@return whether the address that most sentinels name is believed} */
    synchronized boolean elects(NodeAddress named) {
        boolean believed = !reports.containsKey(named);
        if (believed) {
            reports.clear();
        }
        return believed;
    }
}
