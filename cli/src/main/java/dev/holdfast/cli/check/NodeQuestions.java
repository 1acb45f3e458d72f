package dev.holdfast.cli.check;

import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Asks one server that has locks. */
final class NodeQuestions {
    private static final List<String> SETTINGS = List.of(
            "maxmemory",
            "maxmemory-policy",
            "appendonly",
            "appendfsync",
            "save",
            "timeout",
            "tcp-keepalive",
            "min-replicas-to-write",
            "min-replicas-max-lag",
            "cluster-node-timeout",
            "cluster-require-full-coverage");

    private static final int ROUND_TRIPS = 20;

    private final Links links;
    private final Request request;

    NodeQuestions(Links links, Request request) {
        this.links = links;
        this.request = request;
    }

    Node ask(Link link, RedisURI uri, boolean isCluster) {
        Answer<Map<String, String>> info = link.info();
        Map<String, Answer<String>> settings = new HashMap<>();
        for (String name : SETTINGS) {
            settings.put(
                    name,
                    link.fields("CONFIG", "GET", name)
                            .then(fields -> fields.containsKey(name)
                                    ? Answer.of(fields.get(name))
                                    : Answer.unknown("the server has no setting " + name)));
        }
        boolean isSharded = isCluster
                && !info.orElse(Map.of()).getOrDefault("redis_version", "7").startsWith("6");
        Map<String, RightVerdict> verdicts = RightsQuestions.ask(link, request.prefix(), isSharded);
        Answer<Boolean> subscription = subscribe(uri, isSharded, verdicts);
        List<Duration> roundTrips = new ArrayList<>();
        Answer<ClockReading> clock = clock(link, roundTrips);
        return new Node(
                Addresses.of(uri),
                info,
                settings,
                clock,
                roundTrips,
                new UserRights(Addresses.user(uri), request.prefix(), verdicts),
                links.speaksResp3(uri),
                subscription);
    }

    /** A node that does not have the channel's slot would have accepted it otherwise. */
    private Answer<Boolean> subscribe(RedisURI uri, boolean isSharded, Map<String, RightVerdict> verdicts) {
        String name = RightsQuestions.name(request.prefix());
        String channel = "redisson_lock__channel:" + (name.contains("{") ? name : "{" + name + "}") + ":check";
        Links.Subscribed plain = links.subscribe(uri, channel, false);
        verdicts.put("+subscribe", RightVerdict.ofCommand(plain.begun().reason()));
        verdicts.put("+unsubscribe", RightVerdict.ofCommand(plain.ended().reason()));
        if (!isSharded) {
            return plain.begun().map(begun -> false);
        }
        Links.Subscribed sharded = links.subscribe(uri, channel, true);
        verdicts.put("+ssubscribe", RightVerdict.ofCommand(sharded.begun().reason()));
        verdicts.put("+sunsubscribe", RightVerdict.ofCommand(sharded.ended().reason()));
        return sharded.begun().reason().startsWith("MOVED")
                ? Answer.of(true)
                : sharded.begun().map(begun -> true);
    }

    /** The reading with the shortest round trip is the best one. */
    private Answer<ClockReading> clock(Link link, List<Duration> roundTrips) {
        Answer<ClockReading> best = Answer.unknown("TIME was not asked for");
        for (int i = 0; i <= ROUND_TRIPS; i++) {
            Instant sent = Instant.now(request.clock());
            long sentNanos = System.nanoTime();
            Answer<List<Object>> time = link.ask("TIME");
            Duration roundTrip = Duration.ofNanos(System.nanoTime() - sentNanos);
            if (time.reason().startsWith(Link.NO_ANSWER)) {
                return Answer.unknown(time.reason());
            }
            if (i > 0) { // the first one loads classes
                roundTrips.add(roundTrip);
            }
            Answer<ClockReading> reading = time.map(reply ->
                    new ClockReading(Duration.between(sent.plus(roundTrip.dividedBy(2)), instant(reply)), roundTrip));
            if (!best.isKnown() || isShorter(reading, best)) {
                best = reading;
            }
        }
        return best;
    }

    private static boolean isShorter(Answer<ClockReading> one, Answer<ClockReading> other) {
        return one.then(a -> other.map(b -> a.roundTrip().compareTo(b.roundTrip()) < 0))
                .orElse(false);
    }

    private static Instant instant(List<?> time) {
        return Instant.ofEpochSecond(
                Long.parseLong(String.valueOf(time.get(0))), Long.parseLong(String.valueOf(time.get(1))) * 1_000);
    }

    /**
     * What is asked with.
     *
     * @param prefix of the names of the application's locks
     * @param clock of this machine
     */
    record Request(String prefix, Clock clock) {}
}
