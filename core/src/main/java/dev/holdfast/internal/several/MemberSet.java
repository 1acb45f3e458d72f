package dev.holdfast.internal.several;

import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.session.Admission;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The locks that are acquired together, in the one order in which every caller waits for them. */
public final class MemberSet {
    private final List<Member> ordered;

    /**
     * @throws IllegalArgumentException if there are none, or two of them are one lock
     */
    public MemberSet(List<Member> members) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a multi-lock must have at least one lock, had none");
        }
        this.ordered = members.stream().sorted(Member.ORDER).toList();
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.get(i).isSameLock(ordered.get(i - 1))) {
                throw new IllegalArgumentException("a multi-lock must not have a lock twice, had lock " + ordered.get(i)
                        + " twice; its holder would wait for itself");
            }
        }
    }

    /** {@return the members in order} */
    public List<Member> ordered() {
        return ordered;
    }

    /** {@return the names of the locks, in that order} */
    public List<String> names() {
        return ordered.stream().map(member -> member.key().name()).toList();
    }

    /** {@return whether the two are the same locks, and the same sides of them, each by the same client} */
    public boolean isSame(MemberSet other) {
        return ordered.size() == other.ordered.size()
                && IntStream.range(0, ordered.size())
                        .allMatch(i -> ordered.get(i).isSameSideByClient(other.ordered.get(i)));
    }

    /** {@return whether the two have a lock in common, by the same client} */
    public boolean overlaps(MemberSet other) {
        return ordered.stream().anyMatch(member -> {
            int place = other.place(member);
            return place >= 0 && member.isSameByClient(other.ordered.get(place));
        });
    }

    /** {@return the place of the lock among the ordered members; negative if it is none of them} */
    public int place(Member member) {
        return Collections.binarySearch(ordered, member, Member.ORDER);
    }

    /**
     * Begins a call for all of the locks.
     *
     * @param lease explicit, or null for watched leases
     * @param waitNanos 0 not to wait, {@code AcquireRequest.FOR_EVER} to wait without limit
     * @param boundThread the thread with which the holds are to end; null if they do not end with a thread
     * @throws IllegalStateException if one of the clients is closed
     */
    public MultiCall begin(@Nullable LeaseRequest lease, long waitNanos, @Nullable Thread boundThread) {
        for (Member member : ordered) {
            if (member.session().admission().refuses(false)) {
                throw Admission.clientIsClosed();
            }
        }
        MultiCall call = new MultiCall(this, lease, waitNanos, boundThread);
        call.begin();
        return call;
    }

    @Override
    public String toString() {
        return ordered.stream().map(Member::toString).collect(Collectors.joining(", "));
    }
}
