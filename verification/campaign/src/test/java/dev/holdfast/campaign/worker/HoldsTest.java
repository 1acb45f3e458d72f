package dev.holdfast.campaign.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LossReason;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.What;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of the listener are recorded with the hold that they concern. */
class HoldsTest {
    private static final String LOCK = "stock";
    private static final String OWNER = "client:7";

    private final Path journal;
    private final Diary diary;
    private final Holds holds;

    HoldsTest(@TempDir Path directory) {
        journal = directory.resolve("journal");
        diary = new Diary(Journal.open(journal), "client-0");
        holds = new Holds(diary, Duration.ofSeconds(2), Duration.ofSeconds(1));
    }

    @AfterEach
    void end() {
        diary.close();
    }

    /** A hold is attributed to its first level, and the next hold to its own. */
    @Test
    void granted_goesBackToTheFirstLevel() {
        Op first = granted(1, 1, true);

        assertThat(granted(2, 2, true)).isEqualTo(first);
        assertThat(granted(3, 1, true)).isNotEqualTo(first);
    }

    /** A renewal is attributed only to a watched hold, since no other is renewed. */
    @Test
    void renewed_onlyIfWatched() {
        granted(1, 1, false);
        holds.renewed(LOCK, OWNER);
        Op watched = granted(2, 2, true);
        holds.renewed(LOCK, OWNER);
        holds.renewed("another", OWNER);

        assertThat(history().all(Confirmed.class)).extracting(Confirmed::op).containsExactly(watched);
    }

    /** A loss is recorded once, and only for a hold that can have been lost. */
    @Test
    void lost_ofThisHold() {
        Op op = granted(1, 1, true);

        holds.lost(LOCK, OWNER, loss(Duration.ofMinutes(1)));
        assertThat(history().all(Announced.class)).as("a loss of an older hold").isEmpty();
        holds.lost(LOCK, OWNER, loss(Duration.ZERO));
        holds.lost(LOCK, OWNER, loss(Duration.ZERO));

        assertThat(history().all(Announced.class)).singleElement().satisfies(announced -> {
            assertThat(announced.op()).isEqualTo(op);
            assertThat(announced.loss()).isEqualTo(Loss.EXPIRED);
        });
    }

    /**
     * A hold that was handed off can be lost before its owner's call has returned: the loss is attributed to it all the
     * same.
     */
    @Test
    void lost_beforeTheCallHasReturned() {
        Call call = diary.called(1, What.LOCK, By.BLOCKING, Diary.Name.plain(LOCK), OWNER, Optional.empty());
        holds.lost(LOCK, OWNER, loss(Duration.ZERO));
        Op op = holds.granted(LOCK, OWNER, call, 1, true);
        granted(2, 1, true);

        assertThat(history().all(Announced.class)).extracting(Announced::op).containsExactly(op);
    }

    /**
     * A loss that was reported before a call, or concerns a hold older than the call, is not attributed to the hold of
     * the call.
     */
    @Test
    void lost_beforeTheCall() {
        holds.lost(LOCK, OWNER, loss(Duration.ZERO));
        granted(1, 1, true);
        holds.ended(LOCK, OWNER);
        Call call = diary.called(2, What.LOCK, By.BLOCKING, Diary.Name.plain(LOCK), OWNER, Optional.empty());
        holds.lost(LOCK, OWNER, loss(Duration.ofMinutes(1)));
        holds.granted(LOCK, OWNER, call, 1, true);

        assertThat(history().all(Announced.class)).isEmpty();
    }

    /** Events of an owner that has released everything are not recorded. */
    @Test
    void ended_nothingIsRecorded() {
        granted(1, 1, true);
        holds.ended(LOCK, OWNER);

        holds.renewed(LOCK, OWNER);
        holds.lost(LOCK, OWNER, loss(Duration.ZERO));

        assertThat(history().all(Confirmed.class)).isEmpty();
        assertThat(history().all(Announced.class)).isEmpty();
    }

    private Op granted(long number, int levels, boolean watched) {
        Call call = diary.called(number, What.LOCK, By.BLOCKING, Diary.Name.plain(LOCK), OWNER, Optional.empty());
        return holds.granted(LOCK, OWNER, call, levels, watched);
    }

    private static LeaseLoss loss(Duration held) {
        return LeaseLoss.of(LossReason.EXPIRED, held, held);
    }

    private History history() {
        return History.read(List.of(journal));
    }
}
