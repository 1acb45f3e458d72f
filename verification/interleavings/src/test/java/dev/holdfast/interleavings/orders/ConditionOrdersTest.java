package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.internal.condition.Conditions.Outcome;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Waiters for a condition are signalled, timed out, and lose messages and their client in any order: no signal is lost or received twice, a
 * waiter that returns holds the lock, and one that waits is in the wait set.
 */
class ConditionOrdersTest {
    /** The signal goes to the waiter whose time is over, which returns true then; or else to the other one. */
    @Tag("slow")
    @Test
    void signal_againstTimeOut() {
        explore(() -> {
            ConditionRig rig = new ConditionRig();
            rig.together(rig::signal, rig::timeOut);
            rig.requireOneSignalled();
            require(rig.first.isWoken() || rig.first.hasEnded(Outcome.TIMED_OUT), "the first wait has ended");
            rig.requireNothingLeft();
        });
    }

    /** The signal goes to the waiter that is interrupted, which returns; or else to that of another client. */
    @Tag("slow")
    @Test
    void signal_againstInterrupt() {
        explore(() -> {
            ConditionRig rig = new ConditionRig();
            rig.togetherWithOne(
                    () -> {
                        rig.redis.waitForOther();
                        rig.signal();
                    },
                    rig::interrupt);
            rig.first.requireSound();
            boolean interrupted = rig.first.hasEnded(Outcome.INTERRUPTED);
            require(rig.first.isWoken() || interrupted, "the wait has ended");
            require(interrupted == rig.redis.isOtherWoken(), "the signal has woken one of them");
        });
    }

    /** The client begins to close while it signals its own waiter, which does not have the lock then: that of another client is woken. */
    @Tag("slow")
    @Test
    void close_againstSignal() {
        explore(() -> {
            ConditionRig rig = new ConditionRig();
            rig.togetherWithOne(
                    () -> {
                        rig.redis.waitForOther();
                        rig.signal();
                    },
                    rig.client::stopGranting);
            rig.first.requireSound();
            require(rig.first.isWoken() || rig.redis.isOtherWoken(), "the signal has woken a waiter");
            require(rig.first.hasEnded(Outcome.WOKEN) || rig.first.hasFailed(), "the wait has ended");
        });
    }

    /** The connection of the messages is lost, and the signal with it: its waiter finds that. */
    @Test
    void lostMessages_againstSignal() {
        wokenDespite(rig -> rig.client.wire.cut());
    }

    /** So is the connection of the commands: whether the signal was executed is not known, and a waiter wakes all the same. */
    @Tag("slow")
    @Test
    void lostCommands_againstSignal() {
        wokenDespite(rig -> rig.client.server.cut());
    }

    /** The key of the lock is deleted: the holder has signalled before, or has lost the lock, which wakes all. */
    @Tag("slow")
    @Test
    void deletedLock_againstSignal() {
        wokenDespite(rig -> rig.client.redis.delete());
    }

    /** The fault happens while the holder signals the one waiter. */
    private static void wokenDespite(Consumer<ConditionRig> fault) {
        explore(() -> {
            ConditionRig rig = new ConditionRig();
            rig.togetherWithOne(rig::signal, () -> fault.accept(rig));
            rig.first.requireSound();
            require(rig.first.isWoken(), "the waiter is woken");
            rig.requireNothingLeft();
        });
    }

    /** All are woken in doubt when the time of a waiter is over. */
    @Test
    void rouse_againstTimeOut() {
        explore(() -> {
            ConditionRig rig = new ConditionRig();
            rig.togetherWithOne(rig::rouse, rig::timeOut);
            rig.first.requireSound();
            require(rig.first.isWoken() || rig.first.hasEnded(Outcome.TIMED_OUT), "the wait has ended");
            rig.requireNothingLeft();
        });
    }

    /**
     * A waiter that was woken in doubt has gone away, and its client ends its registration while another one signals: its own waiter is
     * woken, although the first one may have an entry in front of it.
     */
    @Test
    void signal_againstTheEndOfTheRegistration() {
        explore(() -> {
            ConditionRig rig = new ConditionRig();
            rig.wakeInDoubt();
            rig.redis.waitForOther();
            together(
                    rig.redis::signalByOther,
                    () -> rig.client.clock.advance(ModelClient.WATCHDOG),
                    rig.client::serveReceiveAndGoOn);
            rig.client.quiet();
            require(rig.redis.isOtherWoken(), "the signal has woken the waiter");
        });
    }

    /** The owner waits itself while it hands the lock off to one that signals: it is in the wait set before. */
    @Tag("slow")
    @Test
    void await_againstHandoff() {
        explore(() -> {
            ConditionRig rig = new ConditionRig();
            rig.togetherHandedOff();
            rig.first.requireSound();
            require(rig.first.isWoken(), "the waiter is woken");
            rig.requireNothingLeft();
        });
    }
}
