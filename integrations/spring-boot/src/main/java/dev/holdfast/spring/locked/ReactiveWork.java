package dev.holdfast.spring.locked;

import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;

/** The work of one subscription, under its hold. */
interface ReactiveWork {
    LeaseHold hold();

    /** {@return the work, which begins with a subscription} */
    Publisher<?> start() throws Throwable;

    /** Releases the hold once the work has ended, which was cancelled if it has not. */
    CompletableFuture<?> release();

    static ReactiveWork of(LockedCall call, LeaseHold hold, ReactiveAdapter adapter) {
        return call.method().result() == ResultKind.SUSPENDING
                ? new SuspendedWork(call, hold)
                : new PublishedWork(call, hold, adapter);
    }

    /** The publisher that a method returns. It has ended when it was cancelled. */
    record PublishedWork(LockedCall call, LeaseHold hold, ReactiveAdapter adapter) implements ReactiveWork {
        @Override
        public Publisher<?> start() throws Throwable {
            return adapter.toPublisher(call.copy().proceedUnder(hold));
        }

        @Override
        public CompletableFuture<?> release() {
            return hold.releaseAsync();
        }
    }
}
