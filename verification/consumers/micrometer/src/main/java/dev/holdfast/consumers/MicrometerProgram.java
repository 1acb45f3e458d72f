package dev.holdfast.consumers;

import dev.holdfast.Holdfast;
import dev.holdfast.micrometer.HoldfastMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Has the meters of a client: argument is the URI of a Redis. */
public final class MicrometerProgram {
    private MicrometerProgram() {}

    public static void main(String[] args) {
        MeterRegistry registry = new SimpleMeterRegistry();
        HoldfastMeters meters = HoldfastMeters.create();
        try (Holdfast holdfast =
                Holdfast.builder().redisUri(args[0]).addListener(meters).build()) {
            meters.watch(holdfast);
            meters.bindTo(registry);
            holdfast.getLock("micrometer:orders").runLocked(() -> {
                if (registry.get("holdfast.holds").gauge().value() != 1) {
                    throw new AssertionError("the gauge counts the lock that is held");
                }
            });
        }
    }
}
