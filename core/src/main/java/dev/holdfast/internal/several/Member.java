package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisitions;
import dev.holdfast.internal.acquire.JointAttempt;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Session;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One of the locks that are acquired together, and the client by which it is.
 *
 * @param watched the lease of a hold that the client renews
 */
public record Member(Session session, Acquisitions acquisitions, LockKey key, LeaseRequest watched) {
    /**
     * The order in which members are waited for: by key, and where several Redis servers have a lock of one key, by the
     * address as it was configured. It is the same in every client, unless two clients know a server by different names;
     * and even then for all locks whose keys differ.
     */
    static final Comparator<Member> ORDER = Comparator.comparing(
                    (Member member) -> member.key().key())
            .thenComparing(member -> member.session().address());

    /** {@return whether the two are one lock in Redis} */
    public boolean isSameLock(Member other) {
        return ORDER.compare(this, other) == 0;
    }

    /** {@return whether the two are one lock of one client: the owners of another client are other owners} */
    boolean isSameByClient(Member other) {
        return session == other.session && isSameLock(other);
    }

    /** {@return whether the owner of the one has the other: the two sides of a read-write lock are one lock, but not the same} */
    boolean isSameSideByClient(Member other) {
        return isSameByClient(other) && key.equals(other.key);
    }

    /**
     * {@return an acquisition of this lock, not begun}
     *
     * @param lease explicit, or null for a watched one
     * @param callWaits whether the call that it is part of may wait
     * @param joint sends its first attempt; null if it is sent by itself
     */
    PartAcquisition part(
            int index,
            @Nullable LeaseRequest lease,
            long waitNanos,
            boolean callWaits,
            @Nullable Thread boundThread,
            @Nullable JointAttempt joint,
            PartAcquisition.Whole whole) {
        AcquireRequest wanted = new AcquireRequest(
                key,
                session.owners().newHandleId(),
                Ownership.HANDLE,
                lease == null ? watched : lease,
                waitNanos,
                callWaits);
        return new PartAcquisition(acquisitions, wanted, index, boundThread, joint, whole);
    }

    @Override
    public String toString() {
        return "'" + key + "'";
    }
}
