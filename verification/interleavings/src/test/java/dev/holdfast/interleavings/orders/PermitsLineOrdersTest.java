package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.interleavings.orders.ModelClient.Owner;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two clients in the line for permits, in any order of calls, replies and messages: no more are held than there are, each owner
 * has a number of its own, no waiter is forgotten while permits that it fits are free, and no permits are left without an owner,
 * although no time passes.
 */
class PermitsLineOrdersTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PAUSE = ModelClient.PAUSE;

    /** All permits are released at once: both clients are served by messages. Each acquisition costs an attempt and a release. */
    @Test
    void release_servesBothClients() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.one, 2);
            Owner first = rig.waiting(rig.one, 1);
            Owner second = rig.waiting(rig.other, 1);
            Owner next = rig.waiting(rig.one, 1);
            int before = rig.redis.commands();
            together(holder::release, rig.one::serve, rig.one::receive);
            rig.requireHold(first, second);
            require(rig.redis.commands() == before + 2, "the release and the attempt of the next one are all commands");
            rig.releaseIfHeld(first);
            rig.requireHold(next);
            require(rig.redis.commands() == before + 3, "the second release is the only further command");
            rig.finish();
        });
    }

    /** The first in line leaves while permits are granted to it: another owner of its client has them, and the other client. */
    @Test
    void leave_againstGrant() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner leaver = rig.waiting(rig.one, 1);
            Owner stayer = rig.waiting(rig.one, 1);
            Owner second = rig.waiting(rig.other, 1);
            together(() -> rig.release(holder, rig.other), leaver::leave, rig.one::serve, rig.one::receive);
            rig.releaseIfHeld(leaver);
            rig.requireHold(stayer, second);
            rig.finish();
        });
    }

    /** The first in line leaves: another owner of its client takes over its place. */
    @Test
    void leave_keepsThePlace() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner leaver = rig.waiting(rig.one, 1);
            Owner stayer = rig.waiting(rig.one, 2);
            Owner second = rig.waiting(rig.other, 1);
            together(leaver::leave, rig.one::serve, rig.one::receive);
            rig.quiet();
            require(rig.redis.places() == 2, "both clients are in line");
            holder.release();
            rig.requireHold(stayer);
            require(!second.holds(), "the place is that before the other client");
            rig.releaseIfHeld(stayer);
            rig.requireHold(second);
            rig.finish();
        });
    }

    /** The last waiter of the first client leaves while permits are granted to it. */
    @Tag("slow")
    @Test
    void leaveOfTheLast_againstGrant() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner leaver = rig.waiting(rig.one, 2);
            Owner second = rig.waiting(rig.other, 1);
            Owner third = rig.waiting(rig.other, 1);
            together(() -> rig.release(holder, rig.other), leaver::leave, rig.one::serve, rig.one::receive);
            rig.releaseIfHeld(leaver);
            rig.requireHold(second, third);
            rig.finish();
        });
    }

    /** The wait of the first in line ends while permits are granted to it. */
    @Test
    void timeout_againstGrant() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner first = rig.owner(rig.one, 1);
            first.tryAcquire(PAUSE);
            rig.quiet();
            Owner second = rig.waiting(rig.one, 1);
            Owner third = rig.waiting(rig.other, 1);
            together(
                    () -> rig.release(holder, rig.other),
                    () -> rig.clock.advance(PAUSE.multipliedBy(2)),
                    rig.one::serve,
                    rig.one::receive);
            rig.releaseIfHeld(first);
            rig.requireHold(second, third);
            rig.finish();
        });
    }

    /** Permits are released one by one: a grant may arrive while the attempt of the next owner of that client is in flight. */
    @Test
    void grant_againstAttemptOfAnotherOwner() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 1);
            Owner later = rig.holding(rig.other, 1);
            Owner first = rig.waiting(rig.one, 1);
            Owner second = rig.waiting(rig.one, 1);
            together(
                    () -> {
                        rig.release(holder, rig.other);
                        rig.release(later, rig.other);
                    },
                    rig.one::serve,
                    rig.one::receive);
            rig.requireHold(first, second);
            rig.finish();
        });
    }

    /** The same while the first of them leaves. */
    @Tag("slow")
    @Test
    void leave_againstAttemptOfAnotherOwner() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner leaver = rig.waiting(rig.one, 1);
            Owner stayer = rig.waiting(rig.one, 2);
            together(() -> rig.release(holder, rig.other), leaver::leave, rig.one::serve, rig.one::receive);
            rig.releaseIfHeld(leaver);
            rig.requireHold(stayer);
            rig.finish();
        });
    }

    /** A permit is granted while the head attempts again, since it has waited for long. */
    @Tag("slow")
    @Test
    void grant_againstAnotherAttempt() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner first = rig.waiting(rig.one, 2);
            rig.clock.advance(COMMAND_TIMEOUT.minus(PAUSE.dividedBy(2)));
            together(
                    () -> rig.release(holder, rig.other),
                    () -> rig.clock.advance(PAUSE),
                    rig.one::serve,
                    rig.one::receive);
            rig.requireHold(first);
            rig.finish();
        });
    }

    /** A client attempts for the first time while the other one releases: it has a place, or the permits. */
    @Tag("slow")
    @Test
    void release_againstFirstAttempt() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner first = rig.owner(rig.one, 2);
            together(() -> rig.release(holder, rig.other), first::acquire, rig.one::serve, rig.one::receive);
            rig.requireHold(first);
            rig.finish();
        });
    }

    /** An owner releases while the next one of its client acquires, and the other client waits in line: nobody is passed. */
    @Test
    void release_againstAttemptOfTheSameClient() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.one, 2);
            Owner first = rig.waiting(rig.other, 2);
            Owner again = rig.owner(rig.one, 1);
            together(holder::release, again::acquire, rig.one::serveAndReceive);
            rig.requireHold(first);
            require(!again.holds(), "the one in line is not passed");
            first.release();
            rig.requireHold(again);
            rig.finish();
        });
    }

    /** The first in line requests many, and leaves: those behind it, which fit, have theirs without a release. */
    @Test
    void leaveOfLargeRequest() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 1);
            Owner large = rig.waiting(rig.one, 2);
            Owner second = rig.waiting(rig.other, 1);
            together(large::leave, rig.one::serve, rig.one::receive);
            rig.requireHold(holder, second);
            rig.finish();
        });
    }

    /** The same while a smaller request of its client stays, which takes over its place. */
    @Test
    void leaveOfLargeRequest_beforeSmaller() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 1);
            Owner large = rig.waiting(rig.one, 2);
            Owner small = rig.waiting(rig.one, 1);
            Owner second = rig.waiting(rig.other, 1);
            together(large::leave, () -> rig.release(holder, rig.other), rig.one::serve, rig.one::receive);
            rig.releaseIfHeld(large);
            rig.requireHold(small, second);
            rig.finish();
        });
    }

    /** The message of a grant is lost: the owner adopts the permits after a command timeout, when its client attempts again. */
    @Test
    void message_isLost() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner first = rig.waiting(rig.one, 1);
            Owner second = rig.waiting(rig.other, 1);
            together(() -> rig.release(holder, rig.other), rig.one.wire::loseMessages, rig.one::serve);
            rig.pass(COMMAND_TIMEOUT);
            rig.requireHold(first, second);
            rig.finish();
        });
    }

    /** A hold is gone, which its client finds out when it renews it: the waiters of both clients are served then. */
    @Test
    void hold_isLost() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.one, 2);
            rig.clock.advance(ModelClient.RENEWAL.minus(PAUSE.dividedBy(2)));
            Owner first = rig.waiting(rig.one, 1);
            Owner second = rig.waiting(rig.other, 1);
            rig.redis.drop(holder.hold().inRedis().claim());
            together(() -> rig.clock.advance(PAUSE), rig.one::serve, rig.one::receive);
            rig.requireHold(first, second);
            rig.finishAfterLossOf(holder);
        });
    }

    /** Two versions with different limits: neither takes what its own limit does not allow, and nobody in line is passed. */
    @Test
    void limitsDiffer() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner smaller = rig.holding(rig.one, 2);
            Owner larger = rig.owner(rig.other, 1, 3);
            larger.acquire();
            rig.requireHold(larger);
            Owner first = rig.waiting(rig.one, 1);
            Owner second = rig.owner(rig.other, 1, 3);
            second.acquire();
            rig.quiet();
            together(smaller::release, () -> rig.release(larger, rig.other), rig.one::serveAndReceive);
            rig.requireHold(first, second);
            rig.finish();
        });
    }

    /** A lease ends that is not renewed: the first in line attempts at that time, and the permits serve both clients. */
    @Test
    void lease_ends() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.owner(rig.other, 2);
            holder.acquire(PAUSE);
            rig.quiet();
            Owner first = rig.waiting(rig.one, 1);
            Owner second = rig.waiting(rig.other, 1);
            int before = rig.redis.commands();
            together(() -> rig.clock.advance(PAUSE.multipliedBy(2)), rig.one::serve, rig.one::receive);
            rig.requireHold(first, second);
            require(rig.redis.commands() <= before + 2, "no client attempts twice");
            rig.finishAfterLossOf(holder);
        });
    }

    /** The first client has no subscriptions at the moment: it is dropped from the line, and joins again. */
    @Test
    void clientIsNotSubscribed() {
        explore(() -> {
            PermitsRig rig = new PermitsRig();
            Owner holder = rig.holding(rig.other, 2);
            Owner first = rig.waiting(rig.one, 2);
            Owner second = rig.waiting(rig.other, 1);
            together(rig.one.wire::cut, () -> rig.release(holder, rig.other), rig.one::serveAndReceive);
            rig.quiet();
            if (!first.holds()) {
                rig.requireHold(second);
                rig.releaseIfHeld(second);
            }
            rig.requireHold(first);
            rig.releaseIfHeld(first);
            rig.requireHold(second);
            rig.finish();
        });
    }
}
