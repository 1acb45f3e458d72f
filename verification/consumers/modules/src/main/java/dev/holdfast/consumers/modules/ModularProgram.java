package dev.holdfast.consumers.modules;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;

/** Uses a lock from a named module: argument is the URI of a Redis. */
public final class ModularProgram {
    private ModularProgram() {}

    public static void main(String[] args) {
        if (!Holdfast.class.getModule().isNamed()
                || !ModularProgram.class.getModule().isNamed()) {
            throw new AssertionError("the library and this program are named modules");
        }
        try (Holdfast holdfast = Holdfast.connect(args[0]);
                Lease lease = holdfast.getFencedLock("modules:orders").acquire()) {
            if (!lease.isValid() || lease.token() < 1) {
                throw new AssertionError("a lease is valid, and has a token");
            }
        }
    }
}
