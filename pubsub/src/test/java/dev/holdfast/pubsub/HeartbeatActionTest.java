package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class HeartbeatActionTest {
    /** The complete table, with three unanswered pings allowed. */
    @ParameterizedTest
    @CsvSource({
        "false, true, 0, REST",
        "false, true, 9, REST",
        "false, false, 0, REST",
        "true, false, 0, AWAIT_CONNECTION",
        "true, false, 9, AWAIT_CONNECTION",
        "true, true, 0, PING",
        "true, true, 2, PING",
        "true, true, 3, RECONNECT",
    })
    void next_pingsOnlyIfExpecting_andGivesUpAfterEnough(
            boolean expecting, boolean connected, int unanswered, HeartbeatAction expected) {
        assertThat(HeartbeatAction.next(expecting, connected, unanswered, 3)).isEqualTo(expected);
    }
}
