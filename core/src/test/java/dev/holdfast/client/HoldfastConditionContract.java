package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.Locks;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.ConditionContract;
import dev.holdfast.testkit.LockClient;
import dev.holdfast.testkit.LockFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The contract of conditions. Each test has clients of its own, which are closed after it: nothing in Redis is left of them then. */
abstract class HoldfastConditionContract extends ConditionContract {
    private final Locks kind;
    private final SharedRedis redis;

    HoldfastConditionContract(Locks kind, SharedRedis redis) {
        this.kind = kind;
        this.redis = redis;
    }

    @Override
    protected final LockFixture newFixture() {
        return new Fixture();
    }

    private final class Fixture implements LockFixture {
        private final List<Holdfast> clients = new ArrayList<>();

        @Override
        public LockClient newClient() {
            Holdfast client = redis.connect(UnaryOperator.identity());
            clients.add(client);
            return new ContractClient(client, kind, false);
        }

        @Override
        public List<String> residue() {
            return redis.keys().stream()
                    .filter(key -> !key.startsWith("holdfast_condition:"))
                    .toList();
        }

        @Override
        public void close() {
            clients.forEach(Holdfast::close);
        }
    }
}
