package dev.holdfast.micrometer;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.LockType;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a Prometheus reads of the meters of a client that has used each type of lock on a real Redis. */
final class Scrape {
    private static final Pattern SERIES = Pattern.compile("(?m)^(holdfast_\\w+)");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(holdfast_\\w+)\\{(.*)} ");
    private static final Pattern TAG = Pattern.compile("(?:^|[{,])(\\w+)=\"");
    private static final Pattern OUTCOME = Pattern.compile("outcome=\"(\\w+)\"");
    private static final Pattern TYPE = Pattern.compile("type=\"(\\w+)\"");
    private static final Pattern METER = Pattern.compile("# TYPE (\\w+)");
    private static final Tag CLIENT = Tag.of("client", "shop");

    /** One run for all tests that need it. */
    private static final class Run {
        private static final Scrape SCRAPE = new Scrape(run());
    }

    private final String text;

    private Scrape(String text) {
        this.text = text;
    }

    static Scrape ofAllMeters() {
        return Run.SCRAPE;
    }

    private static String run() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HoldfastMeters meters = HoldfastMeters.create().withTags(CLIENT);
        try (RedisServer redis = RedisServer.start();
                Holdfast holdfast = Holdfast.builder()
                        .redisUri(redis.uri())
                        .addListener(meters)
                        .build()) {
            meters.watch(holdfast);
            meters.bindTo(registry);
            use(holdfast.getLock("plain"));
            use(holdfast.getFencedLock("fenced"));
            use(holdfast.getFairLock("fair"));
            use(holdfast.getReadWriteLock("read-write").readLock());
            use(holdfast.getReadWriteLock("read-write").writeLock());
            return withSemaphore(holdfast.getSemaphore("semaphore", 1), registry);
        }
    }

    private static String withSemaphore(DistributedSemaphore semaphore, PrometheusMeterRegistry registry) {
        try (SemaphoreMeters meters = SemaphoreMeters.of(semaphore).withTags(CLIENT)) {
            meters.bindTo(registry);
            semaphore.acquire().close();
            Eventually.await().until(() -> all(TYPE, registry.scrape()).size() == LockType.values().length);
            return registry.scrape();
        }
    }

    private static void use(DistributedLock lock) {
        lock.acquire().close();
    }

    Set<String> series() {
        return all(SERIES, text);
    }

    Set<String> tags() {
        return all(TAG, text);
    }

    /** {@return the tags of a series; none if there is no such series} */
    Set<String> tags(String series) {
        return SAMPLE.matcher(text)
                .results()
                .filter(sample -> sample.group(1).equals(series))
                .map(sample -> all(TAG, sample.group(2)))
                .findFirst()
                .orElse(Set.of());
    }

    Set<String> outcomes() {
        return all(OUTCOME, text);
    }

    Set<String> meters() {
        return all(METER, text);
    }

    /** {@return what the first group of the pattern matches in the text} */
    static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
