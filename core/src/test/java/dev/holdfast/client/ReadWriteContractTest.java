package dev.holdfast.client;

import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.AsyncOwner;
import dev.holdfast.testkit.ReadWriteClient;
import dev.holdfast.testkit.ReadWriteFixture;
import dev.holdfast.testkit.ReadWriteLockContract;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The read-write lock fulfils the contract of all such locks, and in the end not even a subscription is left. */
@Tag("client")
final class ReadWriteContractTest extends ReadWriteLockContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @Override
    protected ReadWriteFixture newFixture() {
        Iterator<Holdfast> clients = List.of(redis.client(), redis.rival()).iterator();
        return new ReadWriteFixture() {
            @Override
            public ReadWriteClient newClient() {
                return new Client(clients.next());
            }

            @Override
            public List<String> residue() {
                return redis.keys();
            }

            @Override
            public void close() {}
        };
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }

    /** The code that created the client closes it. */
    private record Client(Holdfast holdfast, ContractClient writing) implements ReadWriteClient {
        Client(Holdfast holdfast) {
            this(holdfast, new ContractClient(holdfast, LockKinds.WRITE, false));
        }

        @Override
        public DistributedReadWriteLock readWriteLock(String name) {
            return holdfast.getReadWriteLock(name);
        }

        @Override
        public AsyncOwner newOwner(String name) {
            return writing.newOwner(name);
        }

        @Override
        public boolean isHeldByCurrentThread(String name) {
            return writing.isHeldByCurrentThread(name);
        }

        @Override
        public int holdCount(String name) {
            return writing.holdCount(name);
        }

        @Override
        public boolean isAwaited(String name) {
            return writing.isAwaited(name);
        }

        @Override
        public List<String> residue() {
            return writing.residue();
        }

        @Override
        public void close() {}
    }
}
