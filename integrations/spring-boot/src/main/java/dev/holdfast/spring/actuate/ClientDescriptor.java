package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a client as the endpoint shows it.
 *
 * @param id the id of the client
 * @param label its label
 * @param connected whether it is connected to Redis
 * @param stats its counters, by name
 * @param lost the number of lost leases by reason
 */
public record ClientDescriptor(
        String id, @Nullable String label, boolean connected, Map<String, Long> stats, Map<String, Long> lost) {
    static ClientDescriptor of(Holdfast client) {
        HoldfastStats stats = client.stats();
        Map<String, Long> counters = new TreeMap<>();
        for (HoldfastStats.Counter counter : HoldfastStats.Counter.values()) {
            counters.put(camelCase(counter), stats.get(counter));
        }
        Map<String, Long> lost = new TreeMap<>();
        stats.lostByReason().forEach((reason, count) -> lost.put(camelCase(reason), count));
        return new ClientDescriptor(
                client.clientId(), client.label().orElse(null), client.isConnected(), counters, lost);
    }

    /** All keys of the endpoint are in the case of its other properties. */
    private static String camelCase(Enum<?> constant) {
        StringBuilder text = new StringBuilder();
        for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            text.append(text.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }
}
