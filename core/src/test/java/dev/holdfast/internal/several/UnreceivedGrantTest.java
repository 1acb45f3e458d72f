package dev.holdfast.internal.several;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Patience;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.BlockingAcquisition;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the caller is to receive cannot be made of a grant: the caller gets the error, and what was granted is released. */
@Tag("pure")
@Timeout(30)
final class UnreceivedGrantTest {
    private static final long OWNER = -17;

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private static Object fails(Object granted) {
        throw new NoClassDefFoundError("on purpose");
    }

    @Test
    void future_fails() {
        AcquireRequest wanted = nodes.parts.request(OWNER, Ownership.HANDLE);
        CompletableFuture<Object> acquired = new FutureAcquisition<Object>(
                        nodes.parts.acquisitions(), wanted, UnreceivedGrantTest::fails, Object::new)
                .begin();
        long tenure = granted();
        assertThatThrownBy(() -> Patience.get(acquired)).hasCauseInstanceOf(NoClassDefFoundError.class);
        assertReleased(tenure);
    }

    @Test
    void blocking_throws() {
        BlockingAcquisition acquired = begun();
        long tenure = granted();
        assertThatThrownBy(() -> acquired.await(UnreceivedGrantTest::fails)).isInstanceOf(NoClassDefFoundError.class);
        assertReleased(tenure);
    }

    @Test
    void blockingInterruptibly_throws() {
        BlockingAcquisition acquired = begun();
        long tenure = granted();
        assertThatThrownBy(() -> acquired.awaitInterruptibly(UnreceivedGrantTest::fails))
                .isInstanceOf(NoClassDefFoundError.class);
        assertReleased(tenure);
    }

    @Test
    void futureOfSeveral_fails() {
        CompletableFuture<Object> acquired = several().toFuture(UnreceivedGrantTest::fails);
        long tenure = granted();
        assertThatThrownBy(() -> Patience.get(acquired)).hasCauseInstanceOf(NoClassDefFoundError.class);
        assertReleased(tenure);
    }

    @Test
    void blockingOfSeveral_throws() {
        MultiCall acquired = several();
        long tenure = granted();
        assertThatThrownBy(() -> acquired.await(UnreceivedGrantTest::fails)).isInstanceOf(NoClassDefFoundError.class);
        assertReleased(tenure);
    }

    @Test
    void blockingInterruptiblyOfSeveral_throws() {
        MultiCall acquired = several();
        long tenure = granted();
        assertThatThrownBy(() -> acquired.awaitInterruptibly(UnreceivedGrantTest::fails))
                .isInstanceOf(NoClassDefFoundError.class);
        assertReleased(tenure);
    }

    private BlockingAcquisition begun() {
        return nodes.parts
                .acquisitions()
                .begin(new BlockingAcquisition(
                        nodes.parts.acquisitions(), nodes.parts.request(OWNER, Ownership.HANDLE)));
    }

    private MultiCall several() {
        return new MemberSet(List.of(new Member(
                        nodes.parts.holds().session(),
                        nodes.parts.acquisitions(),
                        new LockKey(new PlainKind(), "orders:42", ""),
                        nodes.parts.holds().watchedLease())))
                .begin(null, AcquireRequest.FOR_EVER, null);
    }

    /** {@return the tenure of the attempt, which is granted} */
    private long granted() {
        long tenure = nodes.former.tenure();
        nodes.former.reply(tenure);
        return tenure;
    }

    private void assertReleased(long tenure) {
        Patience.await().untilAsserted(() -> TwoNodes.assertReleases(nodes.former, tenure));
    }
}
