package dev.holdfast.spring.actuate;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code holdfast}: the counters of the client, and the state of a lock. It is read-only unless
 * {@code management.endpoint.holdfast.access=unrestricted} allows to force locks open.
 */
@Endpoint(id = "holdfast", defaultAccess = Access.READ_ONLY)
public final class HoldfastEndpoint {
    private final Holdfast client;

    /**
     * An endpoint.
     *
     * @param client the client to look at
     */
    public HoldfastEndpoint(Holdfast client) {
        this.client = client;
    }

    /** {@return the state of the client and its counters; sends nothing} */
    @ReadOperation
    public ClientDescriptor client() {
        return ClientDescriptor.of(client);
    }

    /**
     * {@return the owner of a lock and the time left; queries Redis}
     *
     * @param name the name of the lock; its parts that are divided by slashes
     */
    @ReadOperation
    public LockDescriptor lock(@Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        return LockDescriptor.of(lockOf(name).inspect());
    }

    /**
     * Removes a lock, whatever owner holds it. The owner learns of it with its next renewal or release, and may still be
     * working until then.
     *
     * @param name the name of the lock; its parts that are divided by slashes
     * @return the result, or null if the lock was free, which is a response without content
     */
    @DeleteOperation
    public @Nullable ForcedDescriptor forceUnlock(@Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        DistributedLock lock = lockOf(name);
        return lock.forceUnlock() ? new ForcedDescriptor(lock.name(), true) : null;
    }

    private DistributedLock lockOf(String... name) {
        return client.getLock(String.join("/", name));
    }

    /**
     * A lock that was forced open.
     *
     * @param name the name of the lock
     * @param unlocked true
     */
    public record ForcedDescriptor(String name, boolean unlocked) {}
}
