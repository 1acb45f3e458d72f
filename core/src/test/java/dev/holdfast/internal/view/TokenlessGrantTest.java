package dev.holdfast.internal.view;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redis grants a fenced lock without a token, as it does when another program has written to its hash. */
final class TokenlessGrantTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.client();

    /** The lock has no owner then, neither in the client nor in Redis, and the exception shows the reply. */
    @Test
    void acquire_withoutToken_leavesNothing() throws ReflectiveOperationException {
        LockKey lock = new LockKey(tokenless(), redis.name(), "");
        OwnedLock owned = new FencedOwnerView(client(), lock, client.newOwnerId(), Ownership.OWNER_ID);

        assertThatThrownBy(() -> Patience.get(owned.lockAsync()))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(redis.name(), "the reply of Redis lacks the expected value: [");

        Patience.await().until(() -> !redis.lock().isLocked());
    }

    /** A fenced kind of lock with the scripts of the plain one. */
    private static Kind tokenless() {
        PlainKind plain = new PlainKind();
        FencedKind fenced = new FencedKind(null);
        return (Kind) Proxy.newProxyInstance(
                Kind.class.getClassLoader(),
                new Class<?>[] {Kind.class, HandsOff.class},
                (proxy, method, arguments) ->
                        method.invoke(method.getName().equals("readGrant") ? fenced : plain, arguments));
    }

    private Client client() throws ReflectiveOperationException {
        Field field = Holdfast.class.getDeclaredField("client");
        field.setAccessible(true);
        return ((ConnectedClient) field.get(client)).client();
    }
}
