package dev.holdfast.internal.hold;

import dev.holdfast.LossReason;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.WriteKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The downgrade of a write hold to a read hold, of an owner id that no hold had before. The {@link Release} sends it, again if it
 * has no reply, with the same id and tenure.
 */
public final class Downgrade implements Downgradable {
    private final Hold writing;
    private final Supplier<@Nullable LeaseRequest> wanted;
    private final Consumer<Hold> next;
    private final Consumer<LossReason> failed;

    // Written by the running release, when it begins.
    private LeaseRequest lease;
    private long groupId;
    private long tenure;

    /** Just before the command was sent for the first time: if it is sent again, that may not extend the lease. */
    private long beganNanos;

    /**
     * @param wanted the lease of the read hold, from when the command is sent; null if nobody reads any more
     * @param next is given the read hold, which is kept
     * @param failed is given the reason for which there is no read hold, possibly twice
     */
    public Downgrade(
            Hold writing, Supplier<@Nullable LeaseRequest> wanted, Consumer<Hold> next, Consumer<LossReason> failed) {
        this.writing = writing;
        this.wanted = wanted;
        this.next = next;
        this.failed = failed;
        this.lease = writing.lane().holds.watchedLease();
    }

    private LockKey read() {
        LockKey read = writing.lock().otherSide();
        if (read == null) {
            throw new IllegalStateException("only a read-write lock is downgraded, was " + writing);
        }
        return read;
    }

    @Override
    public boolean begin() {
        LeaseRequest now = wanted.get();
        if (now == null) {
            return false;
        }
        Holds holds = writing.lane().holds;
        lease = now;
        groupId = holds.session.owners().newGroupId();
        tenure = holds.session.nextTenure();
        beganNanos = holds.session.now();
        return true;
    }

    @Override
    public Call call(Claim from, Call.Callback caller) {
        Claim to = new Claim(read(), writing.lane().holds.session.owners().field(groupId), tenure, 1, lease.millis());
        return ((WriteKind) from.lock().kind()).downgrade(from, to, caller);
    }

    @Override
    public long leaseNanos() {
        return lease.nanos();
    }

    @Override
    public void held(Home by) {
        Holds holds = writing.lane().holds;
        OwnerLane lane = holds.locks.pin(read(), groupId);
        Hold group = new Hold(lane, tenure, beganNanos, new Granted(lease), false);
        group.confirmedWhileHome(by);
        holds.keep(group, beganNanos, lease);
        lane.push(group);
        if (group.loss() != null) {
            group.forget(); // Its lease ended before it was in the lane, so that its loss did not take it out.
        }
        group.accepted();
        lane.unpin();
        next.accept(group);
        lane.rest();
        holds.verifyIfMoved(group);
    }

    /** What Redis may have is released. */
    @Override
    public void failed(LossReason reason) {
        if (reason == LossReason.UNREACHABLE || reason == LossReason.REFUSED) {
            Holds holds = writing.lane().holds;
            long leaseEndNanos = holds.session.now() + lease.nanos();
            holds.locks.submit(read(), groupId, lane -> new OrphanRelease(lane, tenure, leaseEndNanos));
        }
        failed.accept(reason);
    }

    @Override
    public void lost(LossReason reason) {
        failed.accept(reason);
    }

    /** The request of a hold that begins without one. */
    private record Granted(LeaseRequest lease) implements HoldRequest {
        @Override
        public Ownership ownership() {
            return Ownership.GROUP;
        }

        @Override
        public @Nullable Thread boundThread() {
            return null;
        }

        @Override
        public boolean isGranted() {
            return true;
        }
    }
}
