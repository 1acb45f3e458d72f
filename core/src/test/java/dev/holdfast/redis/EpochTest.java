package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.Call.Outcome;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One connection's life, and the calls in flight on it. */
final class EpochTest {
    private final Throwable why = new IllegalStateException("on purpose");
    private final List<Call.Wire> driver = new ArrayList<>();
    private final List<Call> settled = new ArrayList<>();
    private final Epoch epoch = new Epoch(1, driver::add, (ended, cause) -> ended.end(cause));

    private Call send() {
        Call ping = Call.of(CommandType.PING, settled::add);
        epoch.send(ping, 0);
        return ping;
    }

    /** The first reason to end is the one that calls are told. */
    @Test
    void markEnded_firstWins() {
        Call call = send();
        epoch.markEnded(why);
        epoch.markEnded(new IllegalStateException("too late"));
        epoch.end(new IllegalStateException("too late as well"));
        assertThat(call.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(call.cause()).isSameAs(why);
    }

    /** From the mark on nothing is sent, although what is in flight is not settled yet. */
    @Test
    void markEnded_sendsNothing() {
        Call before = send();
        assertThat(before.epochNumber()).isEqualTo(epoch.number());
        epoch.open();
        epoch.markEnded(why);
        assertThat(epoch.isOpen()).isFalse();
        Call after = send();
        assertThat(after.outcome()).isEqualTo(Outcome.NOT_SENT);
        assertThat(after.epochNumber()).isZero();
        assertThat(settled).doesNotContain(before);
        assertThat(driver).hasSize(1);
    }

    /** What the driver still holds when the epoch ends is never written, settled yet or not. */
    @Test
    void markEnded_commandIsDone() {
        send();
        assertThat(driver.get(0).isDone()).isFalse();
        epoch.markEnded(why);
        assertThat(settled).isEmpty();
        assertThat(driver.get(0).isDone()).isTrue();
    }

    /** An answer that was read before the end settles its call, mark or not; and only once. */
    @Test
    void answer_afterTheMark() {
        Call call = send();
        epoch.markEnded(why);
        driver.get(0).complete();
        epoch.end(why);
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(settled).containsExactly(call);
    }

    /** The oldest call is the first one sent that has no answer, in whatever order answers come. */
    @Test
    void oldest_isTheFirstUnanswered() {
        Call first = send();
        Call second = send();
        Call third = send();
        driver.get(1).complete();
        assertThat(epoch.oldest()).isSameAs(first);
        driver.get(0).complete();
        assertThat(settled).containsExactly(second, first);
        assertThat(epoch.oldest()).isSameAs(third);
        driver.get(2).complete();
        assertThat(epoch.oldest()).isNull();
    }
}
