package dev.holdfast.recipes;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/** A lock that is granted at the moment at which the caller cancels its attempt: the grant can no longer be prevented. */
final class LateGrant {
    private static final class Granting extends CompletableFuture<Lease> {
        private final DistributedLock lock;

        Granting(DistributedLock lock) {
            this.lock = lock;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            complete(lock.acquire());
            return false;
        }
    }

    private LateGrant() {}

    static DistributedLock of(DistributedLock lock) {
        return (DistributedLock) Proxy.newProxyInstance(
                LateGrant.class.getClassLoader(), new Class<?>[] {DistributedLock.class}, (self, method, arguments) -> {
                    if (method.getName().equals("acquireAsync")) {
                        return new Granting(lock);
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }
}
