package dev.holdfast.campaign.worker;

import dev.holdfast.Lease;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A hold that belongs to a {@link Lease} handle. */
final class Handle implements Stay {
    /** No accessor of every build names the owner, but the text of a handle does. */
    private static final Pattern OWNER = Pattern.compile(" of owner (\\S+)");

    private final Lease lease;
    private final OwnerDiary owner;
    private final Grant grant;
    private final Inspection inspection;
    private final boolean async;
    private final boolean awaitsReleases;
    private final Optional<Duration> keep;

    @SuppressWarnings("FutureReturnValueIgnored") // the action only records the loss
    Handle(
            Lease lease,
            OwnerDiary owner,
            Grant grant,
            Inspection inspection,
            boolean async,
            boolean awaitsReleases,
            Optional<Duration> keep) {
        this.lease = lease;
        this.owner = owner;
        this.grant = grant;
        this.inspection = inspection;
        this.async = async;
        this.awaitsReleases = awaitsReleases;
        this.keep = keep;
        lease.lost().thenAccept(loss -> owner.diary()
                .announced(grant.op(), ReportChannel.HANDLE, Call.loss(loss.reason())));
    }

    /** {@return the owner of a handle's hold, as listeners receive it and as Redis stores it} */
    static String owner(Lease lease) {
        Matcher owner = OWNER.matcher(lease.toString());
        if (!owner.find()) {
            throw new AssertionError("the text of a handle must name its owner, was " + lease);
        }
        return owner.group(1);
    }

    @Override
    public Grant grant() {
        return grant;
    }

    @Override
    public boolean isValid() {
        return lease.isValid();
    }

    @Override
    public Set<ReportChannel> reportChannels() {
        return Set.of(ReportChannel.LISTENER, ReportChannel.HANDLE);
    }

    @Override
    public void extend(Duration by) {
        Call call = owner.calls(What.EXTEND, grant.lock(), Optional.of(by));
        try {
            lease.extend(by);
            call.extended();
        } catch (RuntimeException e) {
            call.threw(e);
        }
    }

    @Override
    public void inspect() {
        inspection.carryOut(grant.lock());
    }

    @Override
    public void leave() {
        owner.holds().ended(grant.lock(), owner.inJournal(owner(lease)));
        owner.leaves(grant.lock(), keep, call -> {
            Releasing.carryOut(lease, keep, async);
            if (async || awaitsReleases) {
                call.released(0);
            } else {
                call.sent();
            }
        });
    }
}
