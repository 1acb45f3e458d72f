package dev.holdfast.spring.locked;

import dev.holdfast.Holdfast;

/**
 * Permits of a semaphore that a call acquires. They limit how many calls run, not what others see: so an open transaction does
 * not keep them, and may contain many such calls, one after the other.
 *
 * @param client the client
 * @param name the name of the semaphore
 * @param limit how many permits there are
 * @param take how many the call acquires
 */
record PermitsTarget(Holdfast client, String name, int limit, int take) implements Target {
    @Override
    public LeaseSource leases() {
        return LeaseSource.of(client.getSemaphore(name, limit), take);
    }

    @Override
    public boolean overlaps(Target other) {
        return other instanceof PermitsTarget that && client == that.client && name.equals(that.name);
    }

    @Override
    public String whyNotAgain() {
        return "threads that have permits of a semaphore, and request more of it, wait for each other";
    }

    @Override
    public boolean outlastsCommit() {
        return false;
    }
}
