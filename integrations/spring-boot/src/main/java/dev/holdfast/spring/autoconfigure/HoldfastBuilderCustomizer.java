package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;

/**
 * Changes the settings of an auto-configured client. All beans of this type are called in their order, after the
 * properties have been applied, so that they have the last word.
 */
@FunctionalInterface
public interface HoldfastBuilderCustomizer {
    /**
     * Changes the settings.
     *
     * @param builder the builder of the client, which is not built yet
     */
    void customize(HoldfastBuilder builder);
}
