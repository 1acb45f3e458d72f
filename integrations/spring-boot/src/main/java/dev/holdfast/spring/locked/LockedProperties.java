package dev.holdfast.spring.locked;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code holdfast.locked.*}.
 *
 * @param waitFor how long methods with '@Locked' or '@Limited' wait for their lock or permits if they do not say it. Without it,
 *     there is no limit.
 * @param lease how long Redis keeps the lock or permits of a method if that does not say it. Without it, they are renewed.
 * @param order position of the lock among the advice of a method. Must be before that of transactions.
 */
@ConfigurationProperties("holdfast.locked")
record LockedProperties(
        @Nullable Duration waitFor,
        @Nullable Duration lease,
        @DefaultValue("2147483547") int order) {
    LockedProperties {
        if (waitFor != null && waitFor.isNegative()) {
            throw new IllegalArgumentException("holdfast.locked.wait-for must not be negative, was " + waitFor);
        }
        if (lease != null && lease.toMillis() < 1) {
            throw new IllegalArgumentException("holdfast.locked.lease must be at least 1 ms, was " + lease);
        }
    }

    /** {@return the position of the advice for this annotation: that for permits is the next one outside of that for locks} */
    int orderOf(HoldAnnotation annotation) {
        int locked = Math.max(order, Integer.MIN_VALUE + 1);
        return annotation == HoldAnnotation.LIMITED ? locked - 1 : locked;
    }
}
