package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.history.What;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The count of locks that pass from owner to owner. */
class TurnoverTest {
    /** Only a grant to an owner that had waited while another owner of the same client held the lock is counted. */
    @Test
    void within_onlyWaitersOfTheSameClient() {
        Histories history = new Histories()
                .grant("a", "1", "stock", What.LOCK, 0, 10)
                .grant("a", "2", "stock", What.LOCK, 5, 20) // counted: it waited
                .grant("a", "3", "stock", What.LOCK, 25, 30) // called later
                .grant("b", "1", "stock", What.LOCK, 5, 40) // of another client
                .grant("b", "1", "stock", What.LOCK, 35, 41) // the same owner
                .grant("b", "2", "stock", What.TRY, 40, 50) // did not wait
                .grant("b", "3", "other", What.LOCK, 5, 60); // another lock

        assertThat(Turnover.within(List.of("stock", "other"), history.history().operations()))
                .isEqualTo(1);
    }
}
