package dev.holdfast.internal.wait;

import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.redis.Call;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The first command about a lock on a new connection, if handoffs of the old one are unanswered: whichever tenure of
 * the chain has the lock now, the last one is to have it. If none has it, the last owner's lease is lost; the releases
 * of the other owners count as done, since those owners had released the lock already. If Redis refuses the command,
 * each tenure is released by itself, whichever has the lock.
 */
final class ChainRepair implements Call.Callback {
    private final UnansweredHandoffs handoffs;
    private final List<Handoff> chain;
    private final Handoff last;

    /** The lease that was requested; written before the call is sent. */
    private long leaseMillis;

    ChainRepair(UnansweredHandoffs handoffs, List<Handoff> chain) {
        this.handoffs = handoffs;
        this.chain = chain;
        this.last = chain.get(chain.size() - 1);
    }

    Call call() {
        leaseMillis = last.leaseMillisLeft();
        last.hold()
                .requestsUntil(
                        last.hold().lane().registry().session().now() + TimeUnit.MILLISECONDS.toNanos(leaseMillis));
        List<Claim> before =
                chain.stream().map(handoff -> handoff.from().claim()).toList();
        return HandsOff.of(last.hold().lock()).repair(before, last.claim(leaseMillis), this);
    }

    @Override
    public void completed(Call call) {
        switch (last.hold().lock().kind().read(call, last.hold().tenure()).outcome()) {
            case HELD -> {
                last.hold().lease().confirmed(call.sentNanos(), TimeUnit.MILLISECONDS.toNanos(leaseMillis));
                OrphanRelease.beginIfLost(last.hold());
                completed();
            }
            case BUSY -> lost(LossReason.TAKEN);
            case GONE, LATE -> lost(LossReason.GONE);
            case REFUSED, MALFORMED -> {
                handoffs.forget(chain);
                last.hold().lose(LossReason.REFUSED);
                if (!last.hold().isLeftToRunOut()) {
                    // The owners have released these holds or learnt of their loss, and no other caller wants them.
                    OrphanRelease.begin(last.hold());
                    chain.forEach(handoff -> OrphanRelease.begin(handoff.from()));
                }
                chain.forEach(handoff -> handoff.refused(call));
            }
            case UNKNOWN, NOT_SENT -> {} // the next connection begins with it again
            case NOT_EXECUTED -> {} // this connection accepts no other call before it has begun with it again
        }
    }

    private void lost(LossReason reason) {
        last.hold().lose(reason);
        completed();
    }

    private void completed() {
        handoffs.forget(chain);
        chain.forEach(Handoff::handoffConfirmed);
    }
}
