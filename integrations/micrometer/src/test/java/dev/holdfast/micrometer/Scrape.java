package dev.holdfast.micrometer;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a Prometheus reads of the meters. */
final class Scrape {
    private static final Pattern SERIES = Pattern.compile("(?m)^(holdfast_\\w+)");
    private static final Pattern TAG = Pattern.compile("[{,](\\w+)=\"");
    private static final Pattern OUTCOME = Pattern.compile("outcome=\"(\\w+)\"");
    private static final Pattern METER = Pattern.compile("# TYPE (\\w+)");

    private final String text;

    private Scrape(String text) {
        this.text = text;
    }

    static Scrape ofAllMeters() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HoldfastMeters.create().bindTo(registry);
        SemaphoreMeters.of(SemaphoreMetersTest.readBy(new LinkedBlockingQueue<>()))
                .bindTo(registry);
        return new Scrape(registry.scrape());
    }

    Set<String> series() {
        return all(SERIES, text);
    }

    Set<String> tags() {
        return all(TAG, text);
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
