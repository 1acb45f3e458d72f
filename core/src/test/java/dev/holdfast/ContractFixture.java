package dev.holdfast;

import dev.holdfast.testkit.LockClient;
import dev.holdfast.testkit.LockFixture;
import java.util.Iterator;
import java.util.List;

/** The same two clients for all tests of the contract, so that what one of them leaves behind is seen. */
final class ContractFixture implements LockFixture {
    private final SharedRedis redis;
    private final Kind kind;
    private final Iterator<Holdfast> clients;

    ContractFixture(SharedRedis redis, Kind kind) {
        this.redis = redis;
        this.kind = kind;
        this.clients = List.of(redis.client(), redis.rival()).iterator();
    }

    @Override
    public LockClient newClient() {
        return new ContractClient(clients.next(), kind);
    }

    @Override
    public List<String> residue() {
        return redis.keys();
    }

    @Override
    public void close() {}
}
