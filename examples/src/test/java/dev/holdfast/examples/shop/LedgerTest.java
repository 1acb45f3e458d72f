package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
    /** Of the sales of one item, all but the first are oversold, whichever processes made them. */
    @Test
    void oversold_countsEverySaleAfterTheFirst() {
        Ledger ledger = Ledger.parse(List.of("1 3", "2 3", "1 3", "2 2", "1 1"));
        assertThat(ledger.sold()).isEqualTo(5);
        assertThat(ledger.oversold()).isEqualTo(2);
        assertThat(ledger.soldBy(1)).isEqualTo(3);
        assertThat(ledger.soldBy(2)).isEqualTo(2);
    }

    /** The ledger reads what an entry writes. */
    @Test
    void parse_readsWhatWasWritten() {
        Ledger.Entry entry = new Ledger.Entry(9, 1_000);
        assertThat(Ledger.parse(List.of(entry.line())).entries()).containsExactly(entry);
    }
}
