package dev.holdfast.benchmarks.system;

/**
 * Two clients, for locks with certain names and for all others.
 *
 * @param names what the names of the former begin with
 */
record TwoClients(String names, LockClient selected, LockClient others) implements LockClient {
    private LockClient of(String name) {
        return name.startsWith(names) ? selected : others;
    }

    @Override
    public BlockingLock lock(String name) {
        return of(name).lock(name);
    }

    @Override
    public AsyncLock asyncLock(String name, long owner) {
        return of(name).asyncLock(name, owner);
    }

    @Override
    public long deadlines() {
        return selected.deadlines() + others.deadlines();
    }

    @Override
    public void close() {
        selected.close();
        others.close();
    }
}
