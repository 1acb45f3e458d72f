package dev.holdfast;

import dev.holdfast.testkit.LockClient;
import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.LockFixture;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks, and in the end not even a subscription is left. */
final class PlainLockContractTest extends LockContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @Override
    protected LockFixture newFixture() {
        return new Fixture();
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }

    /** The same two clients for all tests, so that what one of them leaves behind is seen. */
    private static final class Fixture implements LockFixture {
        private final Iterator<Holdfast> clients =
                List.of(redis.client(), redis.rival()).iterator();

        @Override
        public LockClient newClient() {
            return new ContractClient(clients.next());
        }

        @Override
        public List<String> residue() {
            return redis.keys();
        }

        @Override
        public void close() {}
    }
}
