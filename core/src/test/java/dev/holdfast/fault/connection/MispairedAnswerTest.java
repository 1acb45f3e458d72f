package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A reply is lost from the middle of a connection that stays open, and each call gets the reply of the next one: as
 * soon as a reply cannot belong to its call, the connection is given up.
 */
@Tag("fault")
@Tag("driver")
final class MispairedAnswerTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
    private final Lease older = client.getLock("older").acquire();
    private final ProxiedConnection connection = faulty.commandConnection();

    /** The command that follows a call whose reply is lost. */
    enum Behind {
        /** Its reply is its own tenure, which is older. */
        RELEASE {
            @Override
            CompletableFuture<?> send(MispairedAnswerTest test) {
                return test.older.releaseAsync();
            }
        },
        /** Its reply is the rest of a lease. */
        QUERY {
            @Override
            CompletableFuture<?> send(MispairedAnswerTest test) {
                return test.client.getLock("older").remainingLeaseAsync().exceptionally(unanswered -> Optional.empty());
            }
        };

        abstract CompletableFuture<?> send(MispairedAnswerTest test);
    }

    /** An acquire counts once, and the command behind it completes soon, as if the connection had been cut. */
    @ParameterizedTest
    @EnumSource
    void acquire_isSentAgain(Behind behind) {
        connection.swallowReplyTo(NAME);

        CompletableFuture<Lease> wanted = client.getLock(NAME).acquireAsync();
        CompletableFuture<?> sent = behind.send(this);

        Lease lease = get(wanted, SOON);
        get(sent, SOON);
        assertThat(connection.isOpen()).isFalse();
        lease.close();
        get(older.releaseAsync());
    }

    /** The extension is sent again, and the hold is not lost because of the other call's reply. */
    @ParameterizedTest
    @EnumSource
    void extension_isSentAgain(Behind behind) {
        Lease lease = client.getLock(NAME).acquire();
        connection.swallowReplyTo(NAME);

        CompletableFuture<Boolean> extended = elsewhere(() -> {
            lease.extend(LONG);
            return true;
        });
        eventually(() -> faulty.proxy().lostReplies() == 1);
        CompletableFuture<?> sent = behind.send(this);

        assertThat(get(extended, SOON)).isTrue();
        get(sent, SOON);
        lease.close();
        get(older.releaseAsync());
    }

    /**
     * A renewal batch of all holds of a client is sent again, and none of them is lost because of the other call's
     * reply.
     */
    @ParameterizedTest
    @EnumSource
    void renewal_isRepeated(Behind behind) {
        Lease lease = client.getLock(NAME).acquire();
        reconnectWithoutAnswerToRenewal();
        ProxiedConnection renewing = faulty.commandConnection();

        CompletableFuture<?> sent = behind.send(this);

        get(sent, SOON);
        eventually(() -> !renewing.isOpen());
        assertThat(lease.isValid()).isTrue();
        lease.close();
        get(older.releaseAsync());
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** A reply about the same number of other holds is detected by their tenures. */
    @Test
    void renewal_replyForAnotherHold_isRepeated() {
        get(older.releaseAsync());
        Lease verified = client.getLock("verified").acquire(LONG);
        Lease renewed = client.getLock(NAME).acquire();

        reconnectWithoutAnswerToRenewal();

        eventually(() -> faulty.events().renewals() == 1);
        verified.close();
        renewed.close();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /**
     * On the new connection, the client first verifies its holds: those that it renews, then the others. That the
     * subscriptions are at the same server is not checked, since their connection is silent.
     */
    private void reconnectWithoutAnswerToRenewal() {
        faulty.proxy().matching(other -> other != connection).drop(Direction.REPLIES);
        faulty.proxy().swallowReplyTo(NAME);
        connection.cutFin();
        eventually(() -> faulty.proxy().lostReplies() == 1);
    }
}
