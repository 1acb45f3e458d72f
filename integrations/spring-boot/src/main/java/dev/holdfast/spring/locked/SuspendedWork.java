package dev.holdfast.spring.locked;

import java.util.concurrent.CompletableFuture;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * A Kotlin suspend function. Spring runs it in a coroutine of its own, in the context of its caller, and makes a publisher of that,
 * which signals nothing more when it is cancelled. But the coroutine may go on for a while then, in a call that blocks or to clean up:
 * the hold is released when it has ended.
 */
final class SuspendedWork implements ReactiveWork {
    private final LockedCall call;
    private final LeaseHold hold;

    /** Null before the start; written by the thread that starts the work. */
    private volatile @Nullable CoroutineHold coroutine;

    SuspendedWork(LockedCall call, LeaseHold hold) {
        this.call = call;
        this.hold = hold;
    }

    @Override
    public LeaseHold hold() {
        return hold;
    }

    @Override
    public Publisher<?> start() throws Throwable {
        LockedCall called = call.copy();
        var arguments = called.invocation().getArguments();
        int last = arguments.length - 1;
        Continuation<?> caller = (Continuation<?>) arguments[last];
        CoroutineHold started = new CoroutineHold(hold);
        coroutine = started;
        arguments[last] = new Called<>(caller, caller.getContext().plus(started));
        Object result = called.proceedUnder(hold);
        return result instanceof Publisher<?> publisher ? publisher : Mono.justOrEmpty(result);
    }

    @Override
    public CompletableFuture<?> release() {
        CoroutineHold started = coroutine;
        return started == null ? hold.releaseAsync() : started.end().thenCompose(ended -> hold.releaseAsync());
    }

    /** The caller's continuation, with the context for what it calls. */
    private record Called<T>(Continuation<T> caller, CoroutineContext context) implements Continuation<T> {
        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            caller.resumeWith(result);
        }
    }
}
