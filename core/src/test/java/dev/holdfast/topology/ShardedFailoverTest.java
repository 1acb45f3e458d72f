package dev.holdfast.topology;

import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;

/** The same with sharded channels and lines of clients: on the Redis that is installed, from 7.0 on. */
@Tag("topology")
@Tag("slow")
class ShardedFailoverTest extends FailoverTest {
    @Override
    RedisBinary binary() {
        return RedisBinary.byDefault();
    }
}
