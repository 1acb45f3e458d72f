package dev.holdfast.cli.check;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A replica, as its master sees it.
 *
 * @param isOnline whether it receives what the master writes
 * @param lagSeconds since it last confirmed what it has
 */
record Replica(String address, boolean isOnline, long lagSeconds) {
    private static final Pattern FIELD = Pattern.compile("slave\\d+");
    private static final Pattern LINE = Pattern.compile("ip=([^,]*),port=(\\d+),state=([^,]*)(?:,.*?lag=(-?\\d+))?.*");

    /** {@return those that INFO lists} */
    static List<Replica> in(Map<String, String> info) {
        return new TreeMap<>(info)
                .entrySet().stream()
                        .filter(entry -> FIELD.matcher(entry.getKey()).matches())
                        .map(entry -> LINE.matcher(entry.getValue()))
                        .filter(Matcher::matches)
                        .map(line -> new Replica(
                                line.group(1) + ":" + line.group(2),
                                line.group(3).equals("online"),
                                line.group(4) == null ? 0 : Long.parseLong(line.group(4))))
                        .toList();
    }
}
