package dev.holdfast.client;

import dev.holdfast.Holdfast;

/** A process that acquires a lock, prints that it has, and releases it. Arguments: URI, name of the lock. */
final class AcquiringProcess {
    private AcquiringProcess() {}

    public static void main(String[] arguments) {
        try (Holdfast client = Holdfast.connect(arguments[0])) {
            client.getLock(arguments[1]).runLocked(() -> System.out.println("acquired"));
        }
    }
}
