package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.Locks;
import dev.holdfast.testkit.LockClient;
import dev.holdfast.testkit.LockFixture;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** The same two clients for all tests of the contract, so that a test that leaves something behind is detected. */
final class ContractFixture implements LockFixture {
    private final Locks kind;
    private final boolean fair;
    private final Iterator<Holdfast> clients;
    private final Supplier<List<String>> keys;

    /**
     * @param fair whether each owner has a place in line
     * @param keys returns the keys that should be gone when no lock is held
     */
    ContractFixture(Locks kind, boolean fair, List<Holdfast> clients, Supplier<List<String>> keys) {
        this.kind = kind;
        this.fair = fair;
        this.clients = clients.iterator();
        this.keys = keys;
    }

    @Override
    public LockClient newClient() {
        return new ContractClient(clients.next(), kind, fair);
    }

    @Override
    public List<String> residue() {
        return keys.get();
    }

    @Override
    public void close() {}
}
