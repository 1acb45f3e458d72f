package dev.holdfast.spring.locked;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Observations of the name {@code holdfast.locked}: the outcome is a tag of low cardinality, for meters and traces, and
 * the name of the lock one of high cardinality, for traces alone. The meter of running calls has the outcome of their start.
 */
final class MicrometerObservations implements LockedObservation.Source {
    /** The outcome of a call that has not ended, as in Spring's observations. */
    private static final String UNKNOWN = "unknown";

    private final ObjectProvider<ObservationRegistry> registry;

    MicrometerObservations(ObjectProvider<ObservationRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public LockedObservation start(String lockName) {
        ObservationRegistry found = registry.getIfAvailable();
        if (found == null || found.isNoop()) {
            return LockedObservation.NONE;
        }
        Observation observation = Observation.createNotStarted("holdfast.locked", found)
                .contextualName("locked")
                .lowCardinalityKeyValue("outcome", UNKNOWN)
                .highCardinalityKeyValue("lock", lockName)
                .start();
        return new OfMicrometer(observation);
    }

    private record OfMicrometer(Observation observation) implements LockedObservation {
        @Override
        public Scope open() {
            return observation.openScope()::close;
        }

        @Override
        public void stop(Outcome outcome, @Nullable Throwable error) {
            observation.lowCardinalityKeyValue(KeyValue.of("outcome", outcome.tag()));
            if (error != null) {
                observation.error(error);
            }
            observation.stop();
        }
    }
}
