package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;
import static dev.holdfast.interleavings.orders.ModelClient.PAUSE;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A grant from the line of clients in any order with what the client does: no owner has the lock beside another, and no
 * grant is left without one, although no lease expires afterwards.
 */
class ClientLineOrdersTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);

    /** The shortest time that the server's clock shows. */
    private static final Duration A_SCRIPT = Duration.ofNanos(1000);

    /** A lock that is left free for another subscriber is not acquired at once, but after a while if it is still free. */
    @Test
    void leftFree_standsBack() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        rig.client.redis.leaveFreeForOthers();
        rig.client.receive();
        rig.client.serve();
        require(rig.client.redis.isFree(), "the other may acquire it first");
        rig.requireServed();
    }

    /** It is known twice that the lock was left free: the client stands back once, for one release of the other. */
    @Test
    void leftFree_toldTwice() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        leaveFreeForOther(rig);
        rig.client.redis.repeatLeftFree();
        rig.client.receive();
        rig.client.redis.delete();
        rig.client.redis.publish();
        rig.client.receive();
        rig.client.serve();
        require(!rig.client.redis.isFree(), "the waiter acquires the lock at the release of the other");
        rig.requireServed();
    }

    /** A client that has stood back and is in line again is in the line that is opened after that was lost. */
    @Test
    void leftFree_lineLost() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        leaveFreeForOther(rig);
        rig.client.quiet();
        require(rig.client.redis.hasPlace(), "the waiter is in line again");
        openLineAnew(rig);
        rig.client.quiet();
        require(rig.client.redis.hasPlace(), "the waiter is in the new line");
        rig.client.redis.releaseOfOther();
        rig.requireServed();
    }

    /** The waiter in line gives up while the lock is granted to it. */
    @Test
    void grant_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLine());
            together(rig.client.redis::releaseOfOther, rig.leaver::leave, rig.client::serve, rig.client::receive);
            rig.requireServed();
        });
    }

    /** The lock is granted while the first waiter asks for its place. */
    @Test
    void grant_againstAsking() {
        explore(() -> {
            QueueRig rig = new QueueRig(ModelClient.inLine());
            rig.client.redis.takeForOther();
            together(rig.client.redis::releaseOfOther, rig.stayer::acquire, rig.client::serve, rig.client::receive);
            rig.requireServed();
        });
    }

    /** A waiter is in line in the end, in whatever order its attempts are answered and its channels confirmed. */
    @Tag("slow")
    @Test
    void joining_inAnyOrder() {
        explore(() -> {
            QueueRig rig = new QueueRig(ModelClient.inLine());
            rig.client.redis.takeForOther();
            together(rig.leaver::acquire, rig.stayer::acquire, rig.client::serve, rig.client::receive);
            rig.client.quiet();
            require(rig.client.redis.hasPlace(), "a waiter is in line");
            rig.client.redis.releaseOfOther();
            rig.client.quiet();
            ModelClient.Owner first = rig.leaver.holds() ? rig.leaver : rig.stayer;
            ModelClient.Owner second = first == rig.leaver ? rig.stayer : rig.leaver;
            first.releaseIfHeld();
            second.releaseIfHeld();
            require(rig.leaver.hasReleased() && rig.stayer.hasReleased(), "both waiters had the lock");
            rig.client.requireNothingLeft();
        });
    }

    /** The line has ended while the client had no subscriptions: it joins again once they are confirmed. */
    @Test
    void joining_afterReconnect() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
            rig.client.wire.lose();
            rig.client.redis.releaseOfOther();
            rig.client.redis.takeForOther();
            rig.client.wire.connect();
            together(rig.client::serve, rig.client::receive);
            rig.client.quiet();
            require(rig.client.redis.hasPlace(), "the first waiter is in line");
            rig.client.redis.releaseOfOther();
            rig.requireServed();
        });
    }

    /**
     * Waiters whose client had the lock until now join the line, although their channels are confirmed from a time
     * before, and no confirmation follows. The first of them may have started on a handoff that Redis refused.
     */
    @Test
    void joining_byLingeringChannels() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        rig.client.redis.releaseOfOther();
        rig.client.quiet();
        rig.leaver.release();
        rig.client.quiet();
        rig.stayer.release();
        rig.client.quiet();
        rig.client.clock.advance(PAUSE);
        rig.holder.acquire();
        rig.client.quiet();
        ModelClient.Owner next = rig.client.new Owner();
        next.acquire();
        ModelClient.Owner last = rig.client.new Owner();
        last.acquire();
        rig.client.quiet();
        require(!rig.client.redis.hasPlace(), "no waiter is in line for a lock that its client has");

        rig.client.redis.takeForOther();
        rig.holder.release();
        rig.client.quiet();

        require(rig.client.redis.hasPlace(), "the last waiter is in line");
        rig.client.redis.releaseOfOther();
        rig.client.quiet();
        require(last.holds(), "the last waiter has the lock");
        last.release();
        next.release();
        rig.client.quiet();
        require(next.lostIt(), "the first waiter is told that it did not have the lock");
        rig.client.requireNothingLeft();
    }

    /** The lock is granted while the waiter in line attempts again, since it has waited for long. */
    @Test
    void grant_againstAnotherAttempt() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
            rig.client.clock.advance(COMMAND_TIMEOUT.minus(PAUSE.dividedBy(2)));
            together(
                    () -> rig.client.clock.advance(PAUSE),
                    rig.client.redis::releaseOfOther,
                    rig.client::serve,
                    rig.client::receive);
            rig.requireServed();
        });
    }

    /**
     * The message of a grant arrives during the attempt that adopts it: it is of no use any more, and nothing is released
     * because of it when another owner waits later.
     */
    @Test
    void message_ofAnAdoptedGrant() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        rig.stayer.leave();
        rig.client.quiet();
        rig.client.clock.advance(COMMAND_TIMEOUT);
        rig.client.redis.releaseOfOther();
        rig.client.receive();
        require(!rig.leaver.holds(), "the attempt is in flight");
        rig.client.quiet();
        require(rig.leaver.holds(), "the attempt has adopted the grant");
        rig.leaver.release();
        rig.client.quiet();

        rig.client.redis.takeForOther();
        rig.holder.acquire();
        rig.client.quiet();

        require(rig.client.redis.hasPlace(), "the other owner is in line");
        require(rig.client.redis.releasesInVain() == 0, "nothing is released that nobody has");
        rig.client.redis.releaseOfOther();
        rig.client.quiet();
        rig.holder.release();
        rig.client.requireNothingLeft();
    }

    /** Another call of the owner in line tries, and may find the grant before its message arrives. */
    @Test
    void grant_againstATryOfTheSameOwner() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLine());
            ModelClient.Owner again = rig.leaver.again();
            together(
                    rig.client.redis::releaseOfOther,
                    () -> again.tryAcquire(Duration.ZERO),
                    rig.client::serve,
                    rig.client::receive);
            rig.client.quiet();
            again.releaseIfHeld();
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "the next owner has the lock");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /** The key is deleted, with the line, while the waiter in line attempts again; nothing is published. */
    @Test
    void lineLost_againstAnotherAttempt() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
            rig.client.clock.advance(COMMAND_TIMEOUT.minus(PAUSE.dividedBy(2)));
            together(
                    () -> rig.client.clock.advance(PAUSE),
                    rig.client.redis::delete,
                    rig.client::serve,
                    rig.client::receive);
            rig.client.quiet();
            rig.client.pass(COMMAND_TIMEOUT);
            rig.requireServed();
        });
    }

    /** The key expires, with the line, and others form a new one: the client joins it, although no release notifies it. */
    @Test
    void lineLost_andFormedAnew() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
            together(() -> openLineAnew(rig), rig.leaver::leave, rig.client::serve, rig.client::receive);
            rig.client.quiet();
            require(rig.client.redis.hasPlace(), "the waiter is in the new line");
            rig.client.redis.releaseOfOther();
            rig.requireServed();
        });
    }

    /** The same while the waiter in line attempts again: the reply may be that of the line which was lost. */
    @Test
    void lineLost_andFormedAnew_againstAnotherAttempt() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
            rig.client.clock.advance(COMMAND_TIMEOUT.minus(PAUSE.dividedBy(2)));
            together(
                    () -> rig.client.clock.advance(PAUSE),
                    () -> openLineAnew(rig),
                    rig.client::serve,
                    rig.client::receive);
            rig.client.quiet();
            require(rig.client.redis.hasPlace(), "the first waiter is in the new line");
            rig.client.redis.releaseOfOther();
            rig.requireServed();
        });
    }

    /** The lock moves to another node while the client subscribes: it keeps no subscription that it does not use. */
    @Test
    void moving_againstJoining() {
        exploreClosely(() -> {
            QueueRig rig = new QueueRig(ModelClient.inLineByItself());
            rig.client.redis.takeForOther();
            rig.leaver.acquire();
            together(rig.client::serve, rig.client::move);
            rig.client.quiet();
            require(rig.client.redis.hasPlace(), "the waiter is in line");
            rig.client.redis.releaseOfOther();
            rig.client.quiet();
            rig.leaver.releaseIfHeld();
            require(rig.leaver.hasReleased(), "the waiter had the lock");
            rig.client.requireNothingLeft();
        });
    }

    /** The message of the grant is lost: the next attempt of the waiter adopts the grant. */
    @Test
    void message_isLost() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
            together(
                    () -> {
                        rig.client.redis.releaseOfOther();
                        rig.client.wire.loseMessages();
                    },
                    rig.leaver::leave,
                    rig.client::serve);
            rig.client.quiet();
            rig.client.pass(COMMAND_TIMEOUT);
            rig.requireServed();
        });
    }

    /**
     * The message of a grant arrives after its caller has given up, and while another call of the same owner is in
     * line: it grants that call nothing.
     */
    @Test
    void lateMessage_againstANewPlace() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
            ModelClient.Owner again = rig.leaver.again();
            rig.stayer.leave();
            rig.client.quiet();
            rig.client.redis.releaseOfOther();
            rig.leaver.leave();
            rig.client.serve();
            rig.client.redis.takeForOther();
            again.acquire();
            rig.client.serve();
            together(rig.client::receive, rig.client::serve);
            rig.client.quiet();
            require(!again.holds(), "the other client has the lock alone");
            rig.client.redis.releaseOfOther();
            rig.client.quiet();
            require(again.holds(), "the second call has the lock");
            again.release();
            rig.client.requireNothingLeft();
        });
    }

    /** The next in line attempts when the lease over which it watches has ended, and not before. */
    @Test
    void watch_endsWithTheLease() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        rig.client.redis.watch(PAUSE);
        rig.client.receive();
        rig.client.clock.advance(PAUSE.dividedBy(2));
        require(!rig.client.server.hasWork(), "it waits for the end of the lease");
        rig.client.redis.delete();
        rig.client.clock.advance(PAUSE);
        rig.requireServed();
    }

    /** The same if it is told of that while an attempt is in flight. */
    @Test
    void watch_duringAnAttempt() {
        QueueRig rig = QueueRig.asking();
        rig.client.redis.watch(PAUSE);
        rig.client.receive();
        rig.client.quiet();
        rig.client.redis.delete();
        rig.client.clock.advance(PAUSE.multipliedBy(2));
        rig.requireServed();
    }

    /** A lease counts from the grant, however late its message arrives. */
    @Test
    void message_isLate() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        rig.client.redis.releaseOfOther();
        rig.client.clock.advance(PAUSE);
        rig.client.receive();
        require(rig.leaver.holds(), "the first in line has the lock");
        require(
                rig.leaver.remaining().compareTo(COMMAND_TIMEOUT.minus(PAUSE)) <= 0,
                "its lease counts from the grant, was " + rig.leaver.remaining());
        rig.client.quiet();
        rig.leaver.release();
        rig.client.quiet();
        rig.stayer.release();
        rig.client.requireNothingLeft();
    }

    /** The first renewal of a hold that a grant began is due as long after the grant, however long its owner waited. */
    @Test
    void renewal_isDueAfterTheGrant() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        rig.client.clock.advance(COMMAND_TIMEOUT.minus(PAUSE));
        rig.client.redis.releaseOfOther();
        rig.client.quiet();
        require(rig.leaver.holds(), "the first in line has the lock");
        rig.client.clock.advance(PAUSE);
        require(!rig.client.server.hasWork(), "no renewal is sent");
        require(
                rig.leaver.remaining().equals(COMMAND_TIMEOUT.minus(PAUSE)),
                "its lease counts from the grant, was " + rig.leaver.remaining());
        rig.client.clock.advance(COMMAND_TIMEOUT.dividedBy(2));
        require(rig.client.server.hasWork(), "a renewal is sent before the lease ends");
        rig.client.quiet();
        rig.leaver.release();
        rig.client.quiet();
        rig.stayer.release();
        rig.client.requireNothingLeft();
    }

    /** If little of the granted lease is left when the message arrives, an attempt adopts the grant with a full lease. */
    @Test
    void message_isLaterThanHalfTheLease() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.inLineByItself());
        rig.client.redis.releaseOfOther();
        rig.client.clock.advance(COMMAND_TIMEOUT.dividedBy(2).plus(PAUSE));
        rig.client.receive();
        require(!rig.leaver.holds(), "the first in line attempts before it starts");
        rig.client.quiet();
        require(rig.leaver.holds(), "the first in line has the lock");
        require(
                rig.leaver.remaining().compareTo(COMMAND_TIMEOUT) > 0,
                "it has a full lease, was " + rig.leaver.remaining());
        rig.leaver.release();
        rig.client.quiet();
        rig.stayer.release();
        rig.client.requireNothingLeft();
    }

    /** The owner that was granted the lock releases it at once, while the next one leaves. */
    @Test
    void releaseOfTheGranted_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.inLine());
            rig.client.redis.releaseOfOther();
            rig.client.quiet();
            require(rig.leaver.holds(), "the first in line has the lock");
            together(rig.leaver::release, rig.stayer::leave, rig.client::serve, rig.client::receive);
            rig.client.quiet();
            rig.stayer.releaseIfHeld();
            rig.client.requireOneAtATime();
            rig.client.requireNothingLeft();
        });
    }

    /** Another subscriber acquires it. */
    private static void leaveFreeForOther(QueueRig rig) {
        rig.client.clock.advance(A_SCRIPT);
        rig.client.redis.leaveFreeForOthers();
        rig.client.receive();
        rig.client.clock.advance(A_SCRIPT);
        rig.client.redis.takeForOther();
    }

    /** A little later than any attempt before. */
    private static void openLineAnew(QueueRig rig) {
        rig.client.clock.advance(A_SCRIPT);
        rig.client.redis.openLineAnew();
    }
}
