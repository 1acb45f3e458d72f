package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;

/** No Redis: the client cannot be built. */
record NoConnectionDetails() implements HoldfastConnectionDetails {
    @Override
    public void applyTo(HoldfastBuilder builder) {
        throw new HoldfastStartException(
                "Holdfast has no Redis to connect to.",
                "Set 'holdfast.redis-uri', or add 'spring-boot-starter-data-redis' and set 'spring.data.redis.*'.",
                null);
    }
}
