package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class ChannelActionTest {
    /** The complete table. A dash means that the column has no effect. */
    @ParameterizedTest
    @CsvSource({
        // state, wanted, listed, connected, step
        "ABSENT, true, -, true, SUBSCRIBE",
        "ABSENT, true, -, false, NOTHING",
        "ABSENT, false, true, true, UNSUBSCRIBE",
        "ABSENT, false, true, false, NOTHING",
        "ABSENT, false, false, -, RETIRE",
        "SUBSCRIBING, -, -, -, NOTHING",
        "SUBSCRIBED, true, -, -, NOTHING",
        "SUBSCRIBED, false, -, true, UNSUBSCRIBE",
        "SUBSCRIBED, false, -, false, NOTHING",
        "UNSUBSCRIBING, -, -, -, NOTHING",
        "REFUSED, true, -, -, NOTHING",
        "REFUSED, false, true, true, UNSUBSCRIBE",
        "REFUSED, false, true, false, NOTHING",
        "REFUSED, false, false, -, RETIRE",
        "RETIRED, -, -, -, NOTHING",
    })
    void next_isOneStepTowardsWhatIsWanted(
            ChannelState state, String wanted, String listed, String connected, ChannelAction expected) {
        for (boolean isWanted : values(wanted)) {
            for (boolean isListed : values(listed)) {
                for (boolean isConnected : values(connected)) {
                    assertThat(ChannelAction.next(state, isWanted, isListed, isConnected))
                            .as("wanted=%s listed=%s connected=%s", isWanted, isListed, isConnected)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static boolean[] values(String cell) {
        return cell.equals("-") ? new boolean[] {true, false} : new boolean[] {Boolean.parseBoolean(cell)};
    }
}
