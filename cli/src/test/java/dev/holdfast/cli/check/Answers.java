package dev.holdfast.cli.check;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers of a server that is as it should be, for tables that change one of them. */
final class Answers {
    static final String REFUSED = "NOPERM this user has no permissions to run the command";

    private final Map<String, String> info = new HashMap<>(Map.of(
            "redis_version",
            "7.0.15",
            "role",
            "master",
            "used_memory",
            "1048576",
            "maxmemory",
            "0",
            "maxmemory_policy",
            "noeviction"));
    private final Map<String, Answer<String>> settings = new HashMap<>();
    private Answer<ClockReading> clock = Answer.of(new ClockReading(Duration.ZERO, Duration.ofMillis(1)));
    private List<Duration> roundTrips = List.of(Duration.ofMillis(1));
    private Answer<Boolean> resp3 = Answer.of(true);
    private Answer<Boolean> subscription = Answer.of(false);
    private String prefix = "";

    static Answers good() {
        return new Answers();
    }

    Answers info(String name, String value) {
        info.put(name, value);
        return this;
    }

    Answers setting(String name, String value) {
        settings.put(name, Answer.of(value));
        return this;
    }

    Answers clock(Duration ahead, Duration roundTrip) {
        clock = Answer.of(new ClockReading(ahead, roundTrip));
        return this;
    }

    Answers roundTrips(int... millis) {
        roundTrips =
                java.util.Arrays.stream(millis).mapToObj(Duration::ofMillis).toList();
        return this;
    }

    Answers resp3Refused() {
        resp3 = Answer.unknown("ERR unknown command 'HELLO'");
        return this;
    }

    Answers subscriptionRefused(String reason, String ofPrefix) {
        subscription = Answer.unknown(reason);
        prefix = ofPrefix;
        return this;
    }

    Node node() {
        return new Node(
                "a:6379",
                Answer.of(Map.copyOf(info)),
                settings,
                clock,
                roundTrips,
                new UserRights("locks", prefix, Map.of()),
                resp3,
                subscription);
    }

    /** {@return one that refuses all questions} */
    static Node refused() {
        return new Node(
                "a:6379",
                Answer.unknown(REFUSED),
                Map.of(),
                Answer.unknown(REFUSED),
                List.of(),
                new UserRights("locks", "", Map.of()),
                Answer.unknown(REFUSED),
                Answer.unknown(REFUSED));
    }
}
