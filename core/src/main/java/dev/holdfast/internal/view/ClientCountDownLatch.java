package dev.holdfast.internal.view;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.latch.LatchKey;
import dev.holdfast.internal.latch.LatchState;
import dev.holdfast.internal.latch.LatchWaiter;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.Blocking;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The view of a latch in one client: validates arguments, and delegates the rest. */
final class ClientCountDownLatch implements DistributedCountDownLatch {
    private final Client client;
    private final LatchKey key;

    ClientCountDownLatch(Client client, LatchKey key) {
        this.client = client;
        this.key = key;
    }

    @Override
    public String name() {
        return key.name();
    }

    // --- Changes.

    @Override
    public boolean trySetCount(long count) {
        return blocking(() -> set(count, 0));
    }

    @Override
    public boolean trySetCount(long count, Duration lifetime) {
        long millis = Arguments.lasting("lifetime", lifetime).toMillis();
        return blocking(() -> set(count, millis));
    }

    @Override
    public CompletableFuture<Boolean> trySetCountAsync(long count) {
        return forUsers(set(count, 0));
    }

    @Override
    public CompletableFuture<Boolean> trySetCountAsync(long count, Duration lifetime) {
        return forUsers(set(count, Arguments.lasting("lifetime", lifetime).toMillis()));
    }

    private CompletableFuture<Boolean> set(long count, long lifetimeMillis) {
        return client.latches().trySetCount(key, Arguments.count("count", count), lifetimeMillis);
    }

    @Override
    public void countDown() {
        countDown(1);
    }

    @Override
    public void countDown(long by) {
        blocking(() -> down(by));
    }

    @Override
    public CompletableFuture<@Nullable Void> countDownAsync() {
        return countDownAsync(1);
    }

    @Override
    public CompletableFuture<@Nullable Void> countDownAsync(long by) {
        return forUsers(down(by));
    }

    private CompletableFuture<@Nullable Void> down(long by) {
        return client.latches().countDown(key, Arguments.count("by", by)).thenApply(counted -> null);
    }

    @Override
    public boolean delete() {
        return blocking(() -> client.latches().delete(key));
    }

    @Override
    public CompletableFuture<Boolean> deleteAsync() {
        return forUsers(client.latches().delete(key));
    }

    // --- Looks and waits.

    @Override
    public long getCount() {
        return blocking(() -> client.latches().look(key)).count();
    }

    @Override
    public CompletableFuture<Long> getCountAsync() {
        return forUsers(client.latches().look(key).thenApply(LatchState::count));
    }

    @Override
    public void await() throws InterruptedException {
        refuseToWait();
        client.latches().await(key, LatchWaiter.FOR_EVER).join();
    }

    @Override
    public boolean await(long wait, TimeUnit unit) throws InterruptedException {
        return await(Arguments.waitNanos(wait, unit));
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        return await(Arguments.wait(wait).toNanos());
    }

    private boolean await(long waitNanos) throws InterruptedException {
        refuseToWait();
        return waitNanos == 0
                ? Blocking.forResult(isOpen())
                : client.latches().await(key, waitNanos).join();
    }

    private void refuseToWait() throws InterruptedException {
        client.refuseOnIoThread();
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for " + key.subject());
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> awaitAsync() {
        return begin(LatchWaiter.FOR_EVER, open -> null);
    }

    @Override
    public CompletableFuture<Boolean> awaitAsync(Duration wait) {
        long nanos = Arguments.wait(wait).toNanos();
        return nanos == 0 ? forUsers(isOpen()) : begin(nanos, open -> open);
    }

    /** A caller that completes or cancels the future waits no longer. */
    @SuppressWarnings("FutureReturnValueIgnored") // leaving does not fail
    private <T extends @Nullable Object> CompletableFuture<T> begin(long waitNanos, Function<Boolean, T> answer) {
        LatchWaiter waiter = client.latches().await(key, waitNanos);
        CompletableFuture<T> future = forUsers(waiter.future().thenApply(answer));
        future.whenComplete((open, failure) -> waiter.leave());
        return future;
    }

    private CompletableFuture<Boolean> isOpen() {
        return client.latches().look(key).thenApply(seen -> seen.count() == 0);
    }

    private <T extends @Nullable Object> T blocking(Supplier<CompletableFuture<T>> call) {
        client.refuseOnIoThread();
        return Blocking.forResult(call.get());
    }

    private <T extends @Nullable Object> CompletableFuture<T> forUsers(CompletableFuture<T> inner) {
        return client.session().callbacks().forUsers(inner);
    }

    @Override
    public String toString() {
        return "DistributedCountDownLatch[" + key + "]";
    }
}
