package dev.holdfast.internal.condition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code condition-inspect.lua} replies about the waiters for the conditions of a lock. */
final class WaitSets {
    private static final Pattern QUEUE = Pattern.compile("queue:(.*)", Pattern.DOTALL);
    private static final Pattern ENDS = Pattern.compile("(\\S+) \\S+");
    private static final Pattern OWNER = Pattern.compile("owner:(.*)");
    private static final Pattern WAIT = Pattern.compile("\\d+ \\S+ (\\S+) .*", Pattern.DOTALL);

    private final Map<String, String> first = new HashMap<>();
    private final Map<String, String> behind = new HashMap<>();

    private WaitSets() {}

    /**
     * {@return the owners that wait for each condition, in their order} What has another format is left out.
     *
     * @param seen the fields of the hash, each with its value
     */
    static Map<String, List<String>> read(List<Object> seen) {
        WaitSets sets = new WaitSets();
        for (int i = 0; i + 1 < seen.size(); i += 2) {
            String field = seen.get(i).toString();
            String value = seen.get(i + 1).toString();
            note(sets.first, QUEUE.matcher(field), ENDS.matcher(value));
            note(sets.behind, OWNER.matcher(field), WAIT.matcher(value));
        }
        Map<String, List<String>> owners = new HashMap<>();
        sets.first.forEach((condition, owner) -> owners.put(condition, sets.from(owner)));
        return owners;
    }

    private static void note(Map<String, String> in, Matcher field, Matcher value) {
        if (field.matches() && value.matches()) {
            in.put(field.group(1), value.group(1));
        }
    }

    /** {@return this owner and all behind it} No owner is in two wait sets, or twice in one. */
    private List<String> from(String owner) {
        List<String> owners = new ArrayList<>();
        String each = owner;
        for (String next = behind.remove(each); next != null; next = behind.remove(each)) {
            owners.add(each);
            each = next;
        }
        return owners;
    }
}
