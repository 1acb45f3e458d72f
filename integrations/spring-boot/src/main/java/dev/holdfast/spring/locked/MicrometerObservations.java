package dev.holdfast.spring.locked;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Observations of the name {@code holdfast.locked}: the outcome, and the name of a method's locks without their keys, are
 * tags of low cardinality, for meters and traces, and the name of the lock is one of high cardinality, for traces alone. The meter of running calls has the outcome of their start.
 * A handler that fails at the end of a call is logged: the method has run, and its caller gets the result.
 */
final class MicrometerObservations implements LockedObservation.Source {
    /** The outcome of a call that has not ended, as in Spring's observations. */
    private static final String UNKNOWN = "unknown";

    private static final Logger log = LoggerFactory.getLogger(MicrometerObservations.class);

    private final ObjectProvider<ObservationRegistry> registry;

    MicrometerObservations(ObjectProvider<ObservationRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public LockedObservation start(LockedCall call) {
        ObservationRegistry found = registry.getIfAvailable();
        if (found == null || found.isNoop()) {
            return LockedObservation.NONE;
        }
        HoldAnnotation annotation = call.method().annotation();
        Observation observation = Observation.createNotStarted("holdfast." + annotation.tag(), found)
                .contextualName(annotation.tag())
                .lowCardinalityKeyValue("name", call.method().name())
                .lowCardinalityKeyValue("outcome", UNKNOWN)
                .highCardinalityKeyValue(annotation.noun(), call.name())
                .start();
        return new OfMicrometer(found, observation);
    }

    private record OfMicrometer(ObservationRegistry registry, Observation observation) implements LockedObservation {
        @Override
        public Scope open() {
            Observation.Scope scope = observation.openScope();
            return () -> {
                logFailureOf(scope::close);
                logFailureOf(() -> leave(scope));
            };
        }

        @Override
        public void stop(Outcome outcome, @Nullable Throwable error) {
            logFailureOf(() -> {
                observation.lowCardinalityKeyValue(KeyValue.of("outcome", outcome.tag()));
                if (error != null) {
                    observation.error(error);
                }
            });
            logFailureOf(observation::stop);
        }

        /** A handler that has failed leaves the scope open; observations of other calls of the thread would be within it. */
        private void leave(Observation.Scope scope) {
            if (registry.getCurrentObservationScope() == scope) {
                registry.setCurrentObservationScope(scope.getPreviousObservationScope());
            }
        }

        private void logFailureOf(Runnable step) {
            try {
                step.run();
            } catch (Throwable e) {
                log.warn("A handler of observations has failed at the end of a call under a lock or with permits", e);
            }
        }
    }
}
