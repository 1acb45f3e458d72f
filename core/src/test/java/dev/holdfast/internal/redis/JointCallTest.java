package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.Call.Outcome;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that are settled with another one that was sent in their place. */
@Tag("pure")
final class JointCallTest {
    private final List<Call> completed = new ArrayList<>();
    private final List<Call> parts = List.of(part(), part());
    private final ScriptCommand joint =
            ScriptCommand.plain(CommandPrefix.of(CommandType.EVALSHA), 0, frame -> {}, Call.joint(parts));

    private Call part() {
        return Call.of(CommandType.GET, completed::add);
    }

    private void reply(Object... elements) {
        ReplyOutput output = (ReplyOutput) joint.getOutput();
        output.multi(elements.length);
        for (Object element : elements) {
            if (element instanceof Long number) {
                output.set(number);
            } else {
                output.set(UTF_8.encode(element.toString()));
            }
        }
        joint.complete(Outcome.ANSWERED, null);
    }

    /** Each has its own elements of the reply. */
    @Test
    void answered_eachHasItsElements() {
        reply(7L, "41", 8L, 0L);
        assertThat(completed).containsExactlyElementsOf(parts);
        assertThat(parts).extracting(Call::outcome).containsOnly(Outcome.ANSWERED);
        assertThat(parts).extracting(Call::number).containsExactly(7L, 8L);
        assertThat(parts.get(0).elements()).containsExactly(7L, "41");
    }

    /** The message of an error in place of a number concerns one of them. */
    @Test
    void error_concernsOne() {
        reply("WRONGTYPE a key", 0L, 8L, 0L);
        assertThat(parts).extracting(Call::outcome).containsExactly(Outcome.REFUSED, Outcome.ANSWERED);
        assertThat(parts.get(0).error()).isEqualTo("WRONGTYPE a key");
    }

    /** So does one that says that it was not executed. */
    @Test
    void notExecuted_concernsOne() {
        reply(7L, 0L, "READONLY You can't write against a read only replica.", 0L);
        assertThat(parts).extracting(Call::outcome).containsExactly(Outcome.ANSWERED, Outcome.NOT_EXECUTED);
        assertThat(parts.get(1).cause()).isInstanceOf(NotExecutedException.class);
    }

    /** Without a reply they have the outcome of the call that was sent. */
    @Test
    void unanswered_isThatOfAll() {
        IOException why = new IOException("on purpose");
        joint.complete(Outcome.UNKNOWN, why);
        assertThat(completed).hasSize(2);
        assertThat(parts).extracting(Call::outcome).containsOnly(Outcome.UNKNOWN);
        assertThat(parts).extracting(Call::cause).containsOnly(why);
    }
}
