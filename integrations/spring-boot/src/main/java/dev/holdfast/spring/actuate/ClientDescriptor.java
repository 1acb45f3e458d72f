package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import dev.holdfast.LossReason;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a client as the endpoint shows it.
 *
 * @param id the id of the client
 * @param connected whether it is connected to Redis
 * @param stats its counters, by name
 * @param lost the number of lost leases by reason
 */
public record ClientDescriptor(String id, boolean connected, Map<String, Long> stats, Map<LossReason, Long> lost) {
    static ClientDescriptor of(Holdfast client) {
        HoldfastStats stats = client.stats();
        Map<String, Long> counters = new TreeMap<>();
        for (HoldfastStats.Counter counter : HoldfastStats.Counter.values()) {
            counters.put(counter.name().toLowerCase(Locale.ROOT).replace('_', '-'), stats.get(counter));
        }
        return new ClientDescriptor(client.clientId(), client.isConnected(), counters, stats.lostByReason());
    }
}
