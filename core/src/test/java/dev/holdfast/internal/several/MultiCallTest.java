package dev.holdfast.internal.several;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands of a call for several locks, some of which are busy at first. */
@Tag("pure")
final class MultiCallTest {
    private static final int LOCKS = 8;
    private static final PlainKind KIND = new PlainKind();
    private static final int KEY_COUNT = 2;
    private static final int FIRST_KEY = 3;

    /** Two words about all, and from there on the owner, the tenure and the lease of each. */
    private static final int WORDS_OF_ALL = 2;

    private static final int WORDS_OF_EACH = 3;

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private @Nullable MultiCall call = new MemberSet(IntStream.range(0, LOCKS)
                    .mapToObj(i -> new Member(
                            nodes.parts.holds().session(),
                            nodes.parts.acquisitions(),
                            new LockKey(KIND, "orders:" + i, ""),
                            nodes.parts.holds().watchedLease()))
                    .toList())
            .begin(null, AcquireRequest.FOR_EVER, null);

    private final List<Integer> attempted = new ArrayList<>();

    /** Replies to an attempt of one or several locks: so many are granted, and one behind them is busy if there is any. */
    private void grant(int granted) {
        List<String> words = nodes.former.received();
        int locks = Integer.parseInt(words.get(KEY_COUNT));
        attempted.add(locks);
        if (locks == 1) {
            nodes.former.reply(granted == 1 ? nodes.former.tenure() : -1_000);
            return;
        }
        long[] reply = new long[2 * locks];
        Arrays.fill(reply, 0);
        for (int i = 0; i < granted; i++) {
            int owner = FIRST_KEY + locks + WORDS_OF_ALL + WORDS_OF_EACH * i;
            reply[2 * i] = Long.parseLong(words.get(owner + 1));
        }
        if (granted < locks) {
            reply[2 * granted] = -1_000;
        }
        nodes.former.replyEach(reply);
    }

    private List<PartAcquisition> granted() {
        assertThat(nodes.former.unanswered()).isZero();
        return Objects.requireNonNull(call).await(Optional::orElseThrow);
    }

    /** All are attempted by one command; behind the one that is waited for, all that are left are attempted by one. */
    @Test
    void oneBusy_theRestByOneCommand() {
        grant(2);
        grant(1);
        grant(5);
        assertThat(attempted).containsExactly(8, 1, 5);
        assertThat(granted()).hasSize(LOCKS);
    }

    /** If many are busy one after the other, few are attempted at a time, and more as soon as they are free. */
    @Test
    void manyBusy_fewAtATime() {
        grant(0);
        grant(1);
        grant(0); // of 7
        grant(1);
        grant(0); // of 1, which is then waited for
        grant(1);
        grant(1);
        grant(2);
        grant(2);
        assertThat(attempted).containsExactly(8, 1, 7, 1, 1, 1, 1, 2, 2);
        assertThat(granted()).hasSize(LOCKS);
    }

    /** The holds do not refer to the call that acquired them, however often it has waited. */
    @Test
    void manyBusy_holdsDoNotReferToTheCall() {
        grant(0);
        for (int i = 0; i < LOCKS - 1; i++) {
            grant(1);
            grant(0);
        }
        grant(1);
        List<Hold> holds = granted().stream().map(PartAcquisition::granted).toList();
        WeakReference<MultiCall> reference = new WeakReference<>(call);
        call = null;
        Patience.await().until(() -> {
            System.gc();
            return reference.get() == null;
        });
        assertThat(holds).hasSize(LOCKS).allMatch(Hold::isValid);
    }
}
