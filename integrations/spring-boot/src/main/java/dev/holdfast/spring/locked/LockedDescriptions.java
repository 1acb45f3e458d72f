package dev.holdfast.spring.locked;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.Map;

/** Describes the meters of observed calls. */
final class LockedDescriptions implements MeterFilter {
    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "holdfast.locked", "Calls of methods with @Locked, from the request of the lock to its release",
            "holdfast.locked.active", "Calls of methods with @Locked that wait or run at present, and for how long",
            "holdfast.limited", "Calls of methods with @Limited, from the request of the permits to their release",
            "holdfast.limited.active", "Calls of methods with @Limited that wait or run at present, and for how long");

    @Override
    public Meter.Id map(Meter.Id id) {
        String description = DESCRIPTIONS.get(id.getName());
        return description == null
                ? id
                : new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), description, id.getType());
    }
}
