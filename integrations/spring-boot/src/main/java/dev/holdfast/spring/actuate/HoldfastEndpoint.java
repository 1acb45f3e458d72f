package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.WrongKindException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code holdfast}: the counters of the clients, and the state of a lock. It is read-only unless
 * {@code management.endpoint.holdfast.access=unrestricted} allows to force locks open.
 */
@Endpoint(id = "holdfast", defaultAccess = Access.READ_ONLY)
public final class HoldfastEndpoint {
    private final ListableBeanFactory beans;

    /**
     * An endpoint.
     *
     * @param beans where the clients are
     */
    public HoldfastEndpoint(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** {@return the state of each client and its counters; sends nothing} */
    @ReadOperation
    public ClientsDescriptor clients() {
        Map<String, ClientDescriptor> clients = new TreeMap<>();
        beans.getBeansOfType(Holdfast.class).forEach((bean, client) -> clients.put(bean, ClientDescriptor.of(client)));
        return new ClientsDescriptor(clients);
    }

    /**
     * {@return the owner of a lock, or those that read, and the time left; queries Redis}
     *
     * @param name the name of the lock; its parts that are divided by slashes
     * @param client the name of the bean of the client; without it, the only or primary one
     */
    @ReadOperation
    public LockDescriptor lock(@Selector(match = Selector.Match.ALL_REMAINING) String[] name, @Nullable String client) {
        Holdfast asked = client(client);
        String lock = String.join("/", name);
        try {
            return LockDescriptor.of(asked.getLock(lock).inspect());
        } catch (WrongKindException e) {
            return LockDescriptor.of(asked.getReadWriteLock(lock).inspect());
        }
    }

    /**
     * Removes a lock, whatever owner holds it. The owner detects it with its next renewal or release, and may still be
     * working until then.
     *
     * @param name the name of the lock; its parts that are divided by slashes
     * @param client the name of the bean of the client; without it, the only or primary one
     * @return the result, or null if the lock was free, which is a response without content
     */
    @DeleteOperation
    public @Nullable ForcedDescriptor forceUnlock(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name, @Nullable String client) {
        String lock = String.join("/", name);
        return forceUnlock(client(client), lock) ? new ForcedDescriptor(lock, true) : null;
    }

    private static boolean forceUnlock(Holdfast client, String lock) {
        try {
            return client.getLock(lock).forceUnlock();
        } catch (WrongKindException e) {
            return client.getReadWriteLock(lock).forceUnlock();
        }
    }

    private Holdfast client(@Nullable String bean) {
        try {
            return bean == null ? beans.getBean(Holdfast.class) : beans.getBean(bean, Holdfast.class);
        } catch (BeansException e) {
            throw new InvalidEndpointRequestException(
                    "no client: " + e.getMessage(), "The parameter client must be the name of a Holdfast bean", e);
        }
    }

    /**
     * The clients.
     *
     * @param clients each client, by the name of its bean
     */
    public record ClientsDescriptor(Map<String, ClientDescriptor> clients) {}

    /**
     * A lock that was forced open.
     *
     * @param name the name of the lock
     * @param unlocked true
     */
    public record ForcedDescriptor(String name, boolean unlocked) {}
}
