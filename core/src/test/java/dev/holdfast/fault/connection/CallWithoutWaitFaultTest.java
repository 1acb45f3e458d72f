package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.CallsWithoutWait;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
import dev.holdfast.Refusing;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A call without a wait ends within a command timeout, whatever it lacks: a connection, the execution of its command, or the
 * reply. A failover, which calls with a wait may wait for, would take a minute here.
 */
@Tag("fault")
@Tag("slow")
class CallWithoutWaitFaultTest {
    private static final String NAME = "orders:42";

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client =
            faulty.client(builder -> builder.commandTimeout(COMMAND_TIMEOUT).failoverTimeout(LONG));

    /** There is no connection: it ends within a command timeout; and at once when there has been none for that long. */
    @ParameterizedTest
    @EnumSource
    void noConnection(CallsWithoutWait call) {
        call.prepare(client, NAME);
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> !client.isConnected());

        LockException failure = failureOf(call);

        assertThat(failure).hasMessageContaining(NAME);
        eventually(() -> assertThat(failureOf(call)).hasMessageContaining("there has been no connection to Redis for"));
        faulty.proxy().accept();
        call.cleanUp(client, NAME);
    }

    /** Redis hangs, so that there is no reply, and no connection that works after that. */
    @ParameterizedTest
    @EnumSource
    void noReply(CallsWithoutWait call) {
        call.prepare(client, NAME);
        faulty.server().pause();

        assertThat(failureOf(call)).hasMessageContaining(NAME);

        faulty.server().resume();
        call.cleanUp(client, NAME);
    }

    /** Redis does not execute commands, and says so. */
    @ParameterizedTest
    @EnumSource
    void notExecuted(CallsWithoutWait call) {
        call.prepare(client, NAME);
        Refusing.BUSY.begin(faulty.server());

        assertThat(failureOf(call)).hasMessageContainingAll(NAME, "BUSY");

        Refusing.BUSY.end(faulty.server());
        call.cleanUp(client, NAME);
    }

    /** An earlier command of the owner waits for a connection: the call does not wait for that. */
    @Test
    void behindAnotherCommand() {
        OwnedLock owner = client.getLock(NAME).ownedBy(7);
        get(owner.lockAsync());
        faulty.server().pause();
        var released = owner.unlockAsync();
        var tried = owner.tryLockAsync();

        assertThatExceptionOfType(LockException.class).isThrownBy(() -> get(tried, SOON));

        assertThat(released).isNotDone();
        faulty.server().resume();
        get(released);
    }

    /** What Redis grants to a call that has ended is released. */
    @Test
    void grantedAfterItsEnd_isReleased() {
        faulty.server().pause();
        assertThat(failureOf(CallsWithoutWait.TRY_LOCK)).isNotNull();

        faulty.server().resume();

        eventually(() -> faulty.keys().isEmpty());
        assertThat(client.getLock(NAME).isHeldByCurrentThread()).isFalse();
    }

    /** The exceptions of calls about a hold name the time that was really waited, which is the failover timeout. */
    @Test
    void aboutAHold_waitsForTheFailoverTimeout() {
        Duration failover = COMMAND_TIMEOUT.multipliedBy(3);
        Holdfast hurried =
                faulty.client(builder -> builder.commandTimeout(COMMAND_TIMEOUT).failoverTimeout(failover));
        Lease extended = hurried.getLock("extended").acquire();
        Lease closed = hurried.getLock("closed").acquire();
        Lease closedLater = hurried.getLock("closed later").acquire();
        faulty.server().pause();

        assertThatThrownBy(() -> extended.extend(LONG.multipliedBy(2))).satisfies(why -> assertWaited(why, failover));
        assertThatThrownBy(closed::close).satisfies(why -> assertWaited(why, failover));
        assertThatThrownBy(() -> closedLater.closeAfter(COMMAND_TIMEOUT)).satisfies(why -> assertWaited(why, failover));

        faulty.server().resume();
        eventually(hurried::isConnected);
        extended.close();
        eventually(() -> faulty.keys().isEmpty());
    }

    private static void assertWaited(Throwable why, Duration least) {
        assertThat(why).isInstanceOf(LockException.class).hasMessageMatching(".*(for|after) \\d+ ms.*");
        String millis = String.valueOf(why.getMessage()).replaceFirst(".*(?:for|after) (\\d+) ms.*", "$1");
        assertThat(Duration.ofMillis(Long.parseLong(millis))).isGreaterThanOrEqualTo(least);
    }

    private LockException failureOf(CallsWithoutWait call) {
        return catchThrowableOfType(
                LockException.class, () -> get(elsewhere(() -> call.run(client, NAME)), SOON.plus(SOON)));
    }
}
