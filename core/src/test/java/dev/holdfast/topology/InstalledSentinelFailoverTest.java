package dev.holdfast.topology;

import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;

/** The same on the Redis that is installed. */
@Tag("topology")
@Tag("slow")
final class InstalledSentinelFailoverTest extends SentinelFailoverTest {
    @Override
    RedisBinary binary() {
        return RedisBinary.byDefault();
    }
}
