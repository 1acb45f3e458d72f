package dev.holdfast.examples.service.demo;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.client.RestClient;

/** What an instance shows of itself under {@code /actuator}. */
final class Actuator {
    private final RestClient actuator;

    Actuator(URI instance) {
        actuator = RestClient.create(instance.resolve("/actuator").toString());
    }

    /** {@return the health of the component {@code holdfast}, such as {@code UP}} */
    String health() {
        return get("/health/holdfast", Health.class).status();
    }

    /** {@return the count of a meter} */
    long count(String meter) {
        return Math.round(get("/metrics/" + meter, Meter.class).measurements().stream()
                .mapToDouble(Measurement::value)
                .sum());
    }

    /** {@return the owner of a lock, and how many clients wait for it in line} */
    String lock(String name) {
        Lock lock = get("/holdfast/" + name, Lock.class);
        String holder = lock.holders().stream()
                .map(who -> "held by " + who.label())
                .findFirst()
                .orElse("free");
        return holder + ", " + lock.clientsInLine() + " in line";
    }

    private <T> T get(String path, Class<T> type) {
        T body = actuator.get().uri(path).retrieve().body(type);
        if (body == null) {
            throw new IllegalStateException("the reply to " + path + " was empty");
        }
        return body;
    }

    private record Health(String status) {}

    private record Meter(List<Measurement> measurements) {}

    private record Measurement(double value) {}

    private record Lock(List<Holder> holders, int clientsInLine) {}

    private record Holder(@Nullable String label) {}
}
