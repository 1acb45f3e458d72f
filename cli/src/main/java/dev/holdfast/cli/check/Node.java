package dev.holdfast.cli.check;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The answers of one server that has locks, or may have them after a failover.
 *
 * @param info the fields of INFO
 * @param settings by their names in CONFIG GET
 * @param roundTrips of some commands, in their order
 * @param resp3 whether a connection speaks RESP3
 * @param subscription whether a channel could be subscribed to
 */
record Node(
        String address,
        Answer<Map<String, String>> info,
        Map<String, Answer<String>> settings,
        Answer<ClockReading> clock,
        List<Duration> roundTrips,
        UserRights rights,
        Answer<Boolean> resp3,
        Answer<Boolean> subscription) {
    Node {
        settings = Map.copyOf(settings);
        roundTrips = List.copyOf(roundTrips);
    }

    /** {@return a field of INFO} */
    Answer<String> field(String name) {
        return info.then(fields -> {
            String value = fields.get(name);
            return value == null ? Answer.unknown("INFO has no " + name) : Answer.of(value);
        });
    }

    Answer<Long> number(String name) {
        return field(name).then(Node::parsed);
    }

    /** {@return a setting, as CONFIG GET has it} */
    Answer<String> setting(String name) {
        return settings.getOrDefault(name, Answer.unknown("it was not asked for"));
    }

    Answer<Long> numericSetting(String name) {
        return setting(name).then(Node::parsed);
    }

    private static Answer<Long> parsed(String value) {
        try {
            return Answer.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            return Answer.unknown("'" + value + "' is no number");
        }
    }

    /** Valkey calls the mode by another name. */
    boolean isSentinel() {
        return field("redis_mode").or(() -> field("server_mode")).orElse("").equals("sentinel");
    }

    boolean isReplica() {
        return field("role").orElse("").equals("slave");
    }

    /** {@return the version of Redis that it is, or is compatible with} */
    Answer<String> version() {
        return field("redis_version");
    }

    /** {@return whether it has channels of its own in a cluster} An unknown version counts as a current one. */
    boolean isSharded() {
        return !version().orElse("7").startsWith("6");
    }
}
