package dev.holdfast;

import dev.holdfast.redis.Call;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The first command about a lock on a new connection, if handoffs of the old one had no answer: whichever tenure of the
 * chain has the lock now, the last one of it is to have it. If none has, the last owner's lease is lost; what the others
 * were to do was done, for they had let go. If Redis refuses it, each tenure is released by itself, whichever has the lock.
 */
final class ChainRepair implements Call.Callback {
    private final Cohort cohort;
    private final List<Handoff> chain;
    private final Handoff last;

    ChainRepair(Cohort cohort, List<Handoff> chain) {
        this.cohort = cohort;
        this.chain = chain;
        this.last = chain.get(chain.size() - 1);
    }

    Call call() {
        last.hold().asksUntil(last.hold().lane().engine().now() + TimeUnit.MILLISECONDS.toNanos(last.leaseMillis()));
        List<Hold> before = chain.stream().map(Handoff::from).toList();
        return last.hold().lock().kind().repair(before, last.hold(), last.leaseMillis(), this);
    }

    @Override
    public void completed(Call call) {
        switch (LockAnswer.of(call, last.hold().tenure()).kind()) {
            case HELD -> {
                last.confirm(call);
                if (last.hold().loss() != null && !last.hold().isLeftToRunOut()) {
                    takeBack(last.hold());
                }
                completed();
            }
            case BUSY -> lost(LossReason.TAKEN);
            case GONE, LATE -> lost(LossReason.GONE);
            case REFUSED -> {
                cohort.forget(chain);
                last.hold().lose(LossReason.REFUSED);
                if (!last.hold().isLeftToRunOut()) {
                    takeBack(last.hold());
                    chain.forEach(handoff -> takeBack(handoff.from()));
                }
                chain.forEach(handoff -> handoff.refused(call));
            }
            case UNKNOWN, NOT_SENT -> {} // the next connection begins with it again
            case NOT_EXECUTED -> {} // this connection takes no other calls before it has begun with it again
        }
    }

    /** Its owner has given it back or been told that it is lost, and nobody else wants it. */
    private static void takeBack(Hold unwanted) {
        unwanted.lane().engine().lanes().releaseOrphan(unwanted);
    }

    private void lost(LossReason reason) {
        last.hold().lose(reason);
        completed();
    }

    private void completed() {
        cohort.forget(chain);
        chain.forEach(Handoff::passed);
    }
}
