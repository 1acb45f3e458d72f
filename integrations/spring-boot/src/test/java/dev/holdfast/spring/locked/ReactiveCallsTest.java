package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A grant that crosses the cancellation of its subscription is released. */
final class ReactiveCallsTest {
    private final RedisServer redis = RedisServer.start();
    private final Holdfast client = Holdfast.connect(redis.uri());
    private final DistributedLock lock = client.getLock("late");

    @AfterEach
    void close() {
        client.close();
        redis.close();
    }

    /** Without a limit of the wait, and with one. */
    @Test
    void cancelled_atGrant() throws NoSuchMethodException {
        cancelAtGrant(null);
        cancelAtGrant(Duration.ofMinutes(1));
    }

    private void cancelAtGrant(@Nullable Duration waitFor) throws NoSuchMethodException {
        long before = acquired();
        work(waitFor).subscribe().dispose();
        assertThat(acquired()).isEqualTo(before + 1);
        Eventually.await().until(() -> !lock.isLocked());
    }

    private long acquired() {
        return client.stats().acquired();
    }

    /** {@return the publisher of a method, which is never called} */
    private Mono<?> work(@Nullable Duration waitFor) throws NoSuchMethodException {
        LockedMethod method = new LockedMethod(
                Mono.class.getMethod("never"),
                "",
                lock.name(),
                null,
                new Timing(waitFor, null),
                null,
                OnBusy.THROW,
                new Claim.OfLocks(LockedMode.EXCLUSIVE, false),
                ResultKind.REACTIVE);
        LockedCall call = new LockedCall(
                method,
                new LockTarget(client, List.of(lock.name()), LockedMode.EXCLUSIVE, false),
                LeaseSource.of(grantedWhenCancelled()),
                proxy(MethodInvocation.class, name -> null));
        return (Mono<?>) new ReactiveCalls(observed -> LockedObservation.NONE).invoke(call);
    }

    /** {@return a lock that is granted at the moment at which its caller cancels, when that cannot be prevented any more} */
    private DistributedLock grantedWhenCancelled() {
        return proxy(DistributedLock.class, name -> switch (name) {
            case "acquireAsync" -> new Grant<>(lock::acquire);
            case "tryAcquireAsync" -> new Grant<>(() -> Optional.of(lock.acquire()));
            default -> null;
        });
    }

    private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> results) {
        return type.cast(Proxy.newProxyInstance(
                ReactiveCallsTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object result = results.apply(method.getName());
                    if (result == null) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    return result;
                }));
    }

    private static final class Grant<T> extends CompletableFuture<T> {
        private final Supplier<T> acquire;

        Grant(Supplier<T> acquire) {
            this.acquire = acquire;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            complete(acquire.get());
            return false;
        }
    }
}
