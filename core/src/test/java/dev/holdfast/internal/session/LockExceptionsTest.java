package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.WrongKindException;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.kind.Publishing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of exceptions, and the remedies they name. */
@Tag("pure")
final class LockExceptionsTest {
    private final OwnerIds owners = new OwnerIds("pod 7");
    private final LockExceptions exceptions = new LockExceptions(owners);
    private final LockKey lock = new LockKey(new PlainKind(), "orders", "");

    /** The message for a missing permission names the right to grant. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "NOPERM User app has no permissions to run the 'evalsha' command ; grant +evalsha (",
                "NOPERM this user has no permissions to run the 'script|load' command ; grant +script|load (",
                "NOPERM No permissions to access a key ; grant ~orders (",
                "NOPERM No permissions to access a channel ; grant &redisson_lock__channel:{orders} (",
                "ERR The user executing the script can't publish to the channel mentioned in the command "
                        + "; grant &redisson_lock__channel:{orders} (",
                "ERR The user executing the script can't run this command or subcommand ; grant +evalsha +eval",
                "ERR ACL failure in script: User app has no permissions to run the 'pttl' command ; grant +pttl (",
                "ERR ACL failure in script: No permissions to access a channel ; grant &redisson_lock__channel:{orders} (",
                "ERR Unknown Redis command called from script ; does not have one of the commands that this lock needs",
                "ERR Unknown command called from script ; does not have one of the commands that this lock needs",
                "READONLY You can't write against a read only replica. ; is a read-only replica; locks need the master",
                "OOM command not allowed when used memory > 'maxmemory'. ; OOM command not allowed"
            })
    void refused_namesTheRightToGrant(String error, String advice) {
        assertThat(exceptions.refused(lock, "lock 'orders'", error, Publishing.SINGLE))
                .hasMessageStartingWith("lock 'orders': ")
                .hasMessageContaining(advice)
                .hasMessageContaining(error);
    }

    /** If one of two keys has the wrong type, both are named; if there is only one key, that one is. */
    @Test
    void otherType_namesTheKeys() {
        LockKey fenced = new LockKey(new FencedKind(null), "orders", "");
        String lately = "the key 'orders' was no lock until just now; another program uses the name";
        assertThat(exceptions.otherType(lock, "lock 'orders'")).hasMessage("lock 'orders': " + lately);
        assertThat(exceptions.otherType(fenced, "lock 'orders'"))
                .hasMessage("lock 'orders': the key 'redisson_lock_token:{orders}' is of another type, or " + lately);
    }

    /** The message for an owner without a hold names the lock and the owner. */
    @Test
    void notHeld_namesLockAndOwner() {
        assertThat(exceptions.notHeld(lock, 17))
                .hasMessage("lock 'orders' of owner " + owners.clientId() + ":17 [pod 7] is not held by it");
    }

    /** An exception thrown to a caller keeps its type and message, and has the caller's own stack trace. */
    @Test
    void seenFromHere_keepsTypeAndMessage() {
        LeaseLoss loss = LeaseLoss.of(LossReason.TAKEN, Duration.ofSeconds(2), Duration.ofSeconds(1));
        LeaseLostException lost = new LeaseLostException("lost", loss);
        assertThat(LockExceptions.seenFromHere(lost))
                .isExactlyInstanceOf(LeaseLostException.class)
                .hasMessage("lost")
                .extracting(e -> ((LeaseLostException) e).loss())
                .isEqualTo(loss);
        Exception cause = new Exception("why");
        LockException failed = new LockException("failed", cause, List.of("orders", "stock"));
        failed.addSuppressed(lost);
        assertThat(LockExceptions.seenFromHere(failed))
                .isExactlyInstanceOf(LockException.class)
                .hasMessage("failed")
                .hasCause(cause)
                .hasSuppressedException(lost)
                .extracting(e -> ((LockException) e).names())
                .isEqualTo(List.of("orders", "stock"));
        assertThat(LockExceptions.seenFromHere(LockExceptions.unconfirmed(failed)))
                .isExactlyInstanceOf(ReleaseUnconfirmedException.class)
                .hasMessage("failed")
                .hasCause(cause)
                .extracting(e -> ((LockException) e).names())
                .isEqualTo(List.of("orders", "stock"));
        assertThat(LockExceptions.seenFromHere(new WrongKindException("another kind", List.of("orders"))))
                .isExactlyInstanceOf(WrongKindException.class)
                .hasMessage("another kind")
                .extracting(e -> ((LockException) e).names())
                .isEqualTo(List.of("orders"));
        assertThat(LockExceptions.seenFromHere(new IllegalMonitorStateException("not held")))
                .isExactlyInstanceOf(IllegalMonitorStateException.class)
                .hasMessage("not held");
        assertThat(LockExceptions.seenFromHere(new IllegalStateException("closed")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("closed");
        assertThat(LockExceptions.seenFromHere(cause))
                .isExactlyInstanceOf(LockException.class)
                .hasCause(cause);
    }
}
