package dev.holdfast.internal.acquire;

import dev.holdfast.internal.kind.AcquiresSeveral;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first attempts of a call for all of several locks. Those whose locks are of one kind and home, and in one slot, are
 * sent as one command: it takes one script to acquire them, and none of the locks behind one that is busy has to be
 * released again.
 *
 * <p>COLLECTING until {@link #send}, SENT from then on: an attempt that comes later, such as the repetition of one that
 * was not executed, is sent by itself.
 */
public final class JointAttempt {
    private record Group(Home home, int group, Kind kind) {}

    private record Member(Claim claim, Call call) {}

    private final boolean inPart;

    /** Guarded by this. */
    private final Map<Group, List<Member>> members = new LinkedHashMap<>();

    /** Guarded by this. */
    private boolean sent;

    /** @param inPart whether locks are acquired although one behind them is busy: the call that wants them waits for that one */
    public JointAttempt(boolean inPart) {
        this.inPart = inPart;
    }

    /** {@return whether the call that wants the locks waits for them} */
    boolean isOfWaiting() {
        return inPart;
    }

    /**
     * Adds the call of an attempt.
     *
     * @param group what those locks of the home have in common that one command can be about
     * @return false if it is to be sent by itself
     */
    synchronized boolean add(Home home, int group, Claim claim, Call call) {
        if (sent || !(claim.lock().kind() instanceof AcquiresSeveral)) {
            return false;
        }
        members.computeIfAbsent(new Group(home, group, claim.lock().kind()), none -> new ArrayList<>())
                .add(new Member(claim, call));
        return true;
    }

    /** Sends what was added, in the order in which it was. */
    public void send() {
        Collection<Map.Entry<Group, List<Member>>> groups;
        synchronized (this) {
            sent = true;
            groups = List.copyOf(members.entrySet());
            members.clear(); // parts that are held while others are waited for refer to this
        }
        groups.forEach(group -> send(group.getKey(), group.getValue()));
    }

    private void send(Group group, List<Member> together) {
        Member first = together.get(0);
        Call call = first.call();
        if (together.size() > 1 && group.kind() instanceof AcquiresSeveral kind) {
            call = kind.acquireSeveral(
                            together.stream().map(Member::claim).toList(),
                            inPart,
                            together.stream().map(Member::call).toList())
                    .replicated();
        }
        group.home().send(first.claim().lock(), call);
    }
}
