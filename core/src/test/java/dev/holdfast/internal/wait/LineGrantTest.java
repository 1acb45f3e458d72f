package dev.holdfast.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When an owner may start on the message of a release that has granted it the lock. */
@Tag("pure")
final class LineGrantTest {
    private static final long TENURE = 12;
    private static final long SERVER_MICROS = 1_795_428_436_562_000L;

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private final FutureAcquisition<Boolean> waiter = nodes.parts.acquisition(7);

    @BeforeEach
    void begin() {
        nodes.becomeSteady();
        assertThat(waiter.begin()).isNotDone();
    }

    private Home home() {
        return waiter.lane().home();
    }

    /** {@return a grant to an attempt that was sent just now to this home, which gave it a place} */
    private LineGrant grantTo(Home sentTo) {
        Session session = nodes.parts.holds().session();
        Busy found = new Busy(
                sentTo,
                TwoNodes.LEASE.toMillis(),
                TENURE,
                session.now(),
                session.wallMillis().getAsLong(),
                null);
        LinePlaces.Place place =
                new LinePlaces.Place(waiter, found, SERVER_MICROS, LeaseRequest.watched(TwoNodes.LEASE), 0, false);
        String owner = session.owners().name(7);
        return new LineGrant(place, new GrantMessage(owner, 7, TENURE, SERVER_MICROS, 0));
    }

    @Test
    void isUsable() {
        assertThat(grantTo(home()).isUsable()).isTrue();
    }

    /** The lock has moved while the attempt was on its way: the place is in the line of the former node. */
    @Test
    void movedBeforeTheReply_isNotUsable() {
        Home former = home();
        nodes.turnTo(nodes.next);
        assertThat(grantTo(former).isUsable()).isFalse();
        assertThat(grantTo(home()).isUsable()).isTrue();
    }
}
