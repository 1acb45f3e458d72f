package dev.holdfast.internal.topology;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Why connects to several addresses have failed, for a message that names each of them. */
final class ConnectFailures {
    private static final String NONE_YET = "no answer so far";

    /** Guarded by this. */
    private final Map<String, String> reasons = new LinkedHashMap<>();

    /** Guarded by this. */
    private int failed;

    /** @param places the addresses, as messages name them */
    ConnectFailures(List<String> places) {
        places.forEach(place -> reasons.put(place, NONE_YET));
    }

    /** {@return whether the connects to all addresses have failed} */
    synchronized boolean add(String place, String why) {
        String before = reasons.put(place, why);
        if (NONE_YET.equals(before)) {
            failed++;
        }
        return failed == reasons.size();
    }

    @Override
    public synchronized String toString() {
        return reasons.entrySet().stream()
                .map(reason -> reason.getKey() + ": " + reason.getValue())
                .collect(Collectors.joining("; "));
    }
}
