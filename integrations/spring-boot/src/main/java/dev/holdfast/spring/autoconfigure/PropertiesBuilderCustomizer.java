package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.util.StringUtils;

/**
 * Applies the properties to a builder.
 *
 * @param properties the properties
 * @param applicationName {@code spring.application.name}, the label of a client that has none
 */
record PropertiesBuilderCustomizer(
        HoldfastProperties properties, @Nullable String applicationName) {
    void customize(HoldfastBuilder builder) {
        try {
            apply(builder);
        } catch (IllegalArgumentException e) {
            throw new HoldfastStartException(
                    "A property of Holdfast has a value that is not allowed: " + e.getMessage(),
                    "Correct the property: 'watchdogTimeout' is 'holdfast.watchdog-timeout', for example.",
                    e);
        }
    }

    private void apply(HoldfastBuilder builder) {
        PropertyMapper map = PropertyMapper.get();
        map.from(properties::watchdogTimeout).to(builder::watchdogTimeout);
        map.from(properties::commandTimeout).to(builder::commandTimeout);
        map.from(properties::connectTimeout).to(builder::connectTimeout);
        map.from(properties::reconnectDelay).to(builder::reconnectDelay);
        map.from(properties::failoverTimeout).to(builder::failoverTimeout);
        map.from(properties::driftAllowance).to(builder::driftAllowance);
        map.from(properties::maxHold).to(builder::maxHold);
        map.from(properties::keyPrefix).to(builder::keyPrefix);
        map.from(this::label).to(builder::label);
        builder.awaitReleases(properties.awaitReleases())
                .interruptOnLoss(properties.interruptOnLoss())
                .leakTracking(properties.leakTracking());
        if (properties.connect() == HoldfastProperties.Connect.BACKGROUND) {
            builder.connectInBackground();
        }
        HoldfastProperties.Replicated replicated = properties.replicated();
        if (replicated != null) {
            builder.replicated(replicated.replicas(), replicated.timeout());
        }
    }

    private @Nullable String label() {
        return StringUtils.hasText(properties.label()) ? properties.label() : applicationName;
    }
}
