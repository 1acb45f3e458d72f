package dev.holdfast;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds types that depend on one another in a circle, directly or through others. */
final class TypeCycles {
    private TypeCycles() {}

    /** {@return the largest set of top-level types each of which depends on each other one; empty if there is none} */
    static Set<String> largest(Iterable<JavaClass> types) {
        Map<String, Set<String>> arrows = arrows(types);
        Map<String, Set<String>> reachable = new HashMap<>();
        arrows.keySet().forEach(type -> reachable.put(type, reachable(type, arrows)));
        Set<String> largest = Set.of();
        for (String type : arrows.keySet()) {
            Set<String> cycle = new TreeSet<>(reachable.getOrDefault(type, Set.of()));
            cycle.removeIf(other -> !reachable.getOrDefault(other, Set.of()).contains(type));
            largest = cycle.size() > Math.max(1, largest.size()) ? cycle : largest;
        }
        return largest;
    }

    private static Map<String, Set<String>> arrows(Iterable<JavaClass> types) {
        Map<String, Set<String>> arrows = new TreeMap<>();
        types.forEach(type -> arrows.put(topLevel(type), new TreeSet<>()));
        for (JavaClass type : types) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target = topLevel(dependency.getTargetClass());
                if (arrows.containsKey(target) && !target.equals(topLevel(type))) {
                    Objects.requireNonNull(arrows.get(topLevel(type))).add(target);
                }
            }
        }
        return arrows;
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> arrows) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(arrows.getOrDefault(from, Set.of()));
        while (!next.isEmpty()) {
            String type = next.remove();
            if (reached.add(type)) {
                next.addAll(arrows.getOrDefault(type, Set.of()));
            }
        }
        return reached;
    }

    private static String topLevel(JavaClass type) {
        String name = type.getBaseComponentType().getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
