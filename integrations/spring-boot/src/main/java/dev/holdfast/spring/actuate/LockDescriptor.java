package dev.holdfast.spring.actuate;

import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock as the endpoint shows it.
 *
 * @param name the name of the lock
 * @param locked whether an owner holds it
 * @param remainingLease how long Redis keeps it without renewal
 * @param holders its owners
 * @param clientsInLine how many clients wait in line
 * @param listeners how many clients are subscribed to its release, if that is known
 * @param conditionWaiters the owners that wait for its conditions, by their names
 */
public record LockDescriptor(
        String name,
        boolean locked,
        @Nullable Duration remainingLease,
        List<Holder> holders,
        int clientsInLine,
        @Nullable Integer listeners,
        Map<String, List<String>> conditionWaiters) {
    static LockDescriptor of(LockInfo lock) {
        OptionalInt listeners = lock.listeners();
        return new LockDescriptor(
                lock.name(),
                lock.isLocked(),
                lock.remainingLease().orElse(null),
                lock.holders().stream().map(Holder::of).toList(),
                lock.clientsInLine(),
                listeners.isPresent() ? listeners.getAsInt() : null,
                lock.conditionWaiters());
    }

    /**
     * An owner of a lock.
     *
     * @param owner the id of the owner, which begins with that of its client
     * @param label the label of its client
     * @param holdCount how often it has entered the lock
     * @param since since when it holds the lock
     * @param mode how it holds the lock
     * @param remainingLease how long Redis keeps the lock for it without renewal, if owners have leases of their own
     */
    public record Holder(
            String owner,
            @Nullable String label,
            int holdCount,
            @Nullable Instant since,
            LockMode mode,
            @Nullable Duration remainingLease) {
        static Holder of(LockHolder holder) {
            return new Holder(
                    holder.owner(),
                    holder.label().orElse(null),
                    holder.holdCount(),
                    holder.since().orElse(null),
                    holder.mode(),
                    holder.remainingLease().orElse(null));
        }
    }
}
