package dev.holdfast.spring.locked;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A publisher that signals what its source throws at the subscription. Reactor throws an error that it takes for fatal,
 * such as that of a missing class, instead of signalling it; then no operator would be notified that the work has ended, and
 * release its lock. Such an error on another thread ends no publisher, with or without a lock.
 */
final class SignallingFlux extends Flux<Object> {
    private final Publisher<?> source;

    SignallingFlux(Publisher<?> source) {
        this.source = source;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Object> actual) {
        Forwarding forwarding = new Forwarding(actual);
        try {
            source.subscribe(forwarding);
        } catch (Throwable e) {
            forwarding.fail(e);
        }
    }

    private static final class Forwarding implements CoreSubscriber<Object> {
        private final CoreSubscriber<? super Object> actual;
        private volatile @Nullable Subscription subscription;
        private volatile boolean isDone;

        Forwarding(CoreSubscriber<? super Object> actual) {
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscribed) {
            subscription = subscribed;
            actual.onSubscribe(subscribed);
        }

        @Override
        public void onNext(Object item) {
            actual.onNext(item);
        }

        @Override
        public void onError(Throwable error) {
            isDone = true;
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            isDone = true;
            actual.onComplete();
        }

        void fail(Throwable error) {
            Subscription subscribed = subscription;
            if (isDone) {
                Operators.onErrorDropped(error, currentContext());
            } else if (subscribed == null) {
                Operators.error(actual, error);
            } else {
                subscribed.cancel();
                actual.onError(error);
            }
        }
    }
}
