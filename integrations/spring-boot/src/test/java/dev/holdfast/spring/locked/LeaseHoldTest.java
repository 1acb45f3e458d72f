package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.testkit.RedisServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hold of a handle is verified, and one that is only in doubt is not lost. */
final class LeaseHoldTest {
    private final RedisServer redis = RedisServer.builder().start();
    private final Holdfast client = Holdfast.connect(redis.uri());
    private final Lease lease = client.getLock("key").acquire();

    @AfterEach
    void close() {
        client.close();
        redis.close();
    }

    /** {@return the lease of a client that doubts it} */
    private Lease doubted() {
        return (Lease) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isValid")) {
                        return false;
                    }
                    try {
                        return method.invoke(lease, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private LeaseHold hold() {
        return new LeaseHold(
                new LockTarget(client, List.of("key"), LockedMode.EXCLUSIVE, false),
                doubted(),
                null,
                System.nanoTime(),
                new CompletableFuture<>());
    }

    /** Redis confirms a hold that is in doubt. */
    @Test
    void check_inDoubt() {
        hold().check();
        assertThat(client.getLock("key").isLocked()).isTrue();
        lease.close();
    }

    /** A hold in doubt that Redis has not got any more is lost. */
    @Test
    void check_goneInDoubt() {
        LeaseHold hold = hold();
        assertThat(client.getLock("key").forceUnlock()).isTrue();
        assertThatThrownBy(hold::check).isInstanceOf(LeaseLostException.class);
    }
}
