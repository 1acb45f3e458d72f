package dev.holdfast.internal.view;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisitions;
import dev.holdfast.internal.acquire.BlockingAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls of a client's views that acquire and block. Each is given the function that makes what its caller receives. */
final class AcquireCalls {
    private final Client client;

    AcquireCalls(Client client) {
        this.client = client;
    }

    /** Waits for as long as it takes. */
    <T> T await(AcquireRequest wanted, Function<Hold, T> onGrant) {
        return granted(tryOnce(wanted, onGrant));
    }

    /** {@return null if what is requested stayed busy} */
    <T> @Nullable T tryOnce(AcquireRequest wanted, Function<Hold, T> onGrant) {
        return begin(wanted).await(onGrant);
    }

    /** Waits for as long as it takes, or until the thread is interrupted. */
    <T> T awaitInterruptibly(AcquireRequest wanted, Function<Hold, T> onGrant) throws InterruptedException {
        return granted(tryInterruptibly(wanted, onGrant));
    }

    /** {@return null if what is requested stayed busy for as long as the request waits} */
    <T> @Nullable T tryInterruptibly(AcquireRequest wanted, Function<Hold, T> onGrant) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(
                    "interrupted before waiting for " + wanted.lock().subject());
        }
        return begin(wanted).awaitInterruptibly(onGrant);
    }

    private BlockingAcquisition begin(AcquireRequest wanted) {
        client.refuseOnIoThread();
        Acquisitions all = client.acquisitions();
        return all.begin(new BlockingAcquisition(all, wanted));
    }

    private static <T> T granted(@Nullable T received) {
        if (received == null) {
            throw AcquireRequest.neverRefused();
        }
        return received;
    }
}
