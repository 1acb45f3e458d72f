package dev.holdfast.examples.prices;

import dev.holdfast.examples.ChildJvm;
import java.time.Duration;

/**
 * A process that takes part, as its parent sees it.
 *
 * @param name for people
 */
record Participant(String name, ChildJvm process) implements AutoCloseable {
    static Participant start(String name, String redisUri, Duration lease, boolean writes) {
        return new Participant(
                name, ChildJvm.start(PricesProcess.class, PricesProcess.arguments(redisUri, lease, writes)));
    }

    /** {@return what it has counted since the last time} */
    Tally tally() throws InterruptedException {
        process.send("tally");
        return Tally.parse(process.receive());
    }

    @Override
    public void close() {
        process.close();
    }
}
