package dev.holdfast.campaign.twins;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A condition that is true some time after another one has become true. Used by one thread. */
final class Afterwards implements BooleanSupplier {
    private final Duration time;
    private final BooleanSupplier condition;
    private long since;

    Afterwards(Duration time, BooleanSupplier condition) {
        this.time = time;
        this.condition = condition;
    }

    @Override
    public boolean getAsBoolean() {
        if (since == 0 && condition.getAsBoolean()) {
            since = System.nanoTime();
        }
        return since != 0 && System.nanoTime() - since > time.toNanos();
    }
}
