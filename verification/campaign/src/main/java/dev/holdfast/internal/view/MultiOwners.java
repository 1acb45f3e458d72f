package dev.holdfast.internal.view;

import dev.holdfast.DistributedLock;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import java.util.Objects;

/** The names of the owners of a multi-lock's locks, as listeners receive them and as Redis stores them. */
public final class MultiOwners {
    private MultiOwners() {}

    /** {@return the owner of one of the locks of a handle} */
    public static String of(MultiLease lease, DistributedLock member) {
        return ((MultiHandle) lease).owner(member);
    }

    /** {@return the owner of one of the locks of a multi-lock that the calling thread holds} */
    public static String ofThread(MultiLock lock, DistributedLock member) {
        ThreadHolds holds = ((ClientLock) member).connected().threadHolds();
        return Objects.requireNonNull(
                        holds.of((ClientMultiLock) lock), "the thread must hold the multi-lock, and does not")
                .handle()
                .owner(member);
    }
}
