package dev.holdfast.spring.integration;

import java.util.HashMap;
import java.util.Map;

/** How often each thread has entered each lock, lost levels included: that is how often it may have to leave. */
final class ThreadLevels {
    private final ThreadLocal<Map<String, Integer>> ofThread = ThreadLocal.withInitial(HashMap::new);

    int of(String name) {
        return ofThread.get().getOrDefault(name, 0);
    }

    void set(String name, int levels) {
        Map<String, Integer> all = ofThread.get();
        if (levels > 0) {
            all.put(name, levels);
        } else {
            all.remove(name);
        }
        if (all.isEmpty()) {
            ofThread.remove();
        }
    }
}
