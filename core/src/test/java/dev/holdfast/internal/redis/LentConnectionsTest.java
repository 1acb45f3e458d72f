package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that a proxy lends to its clients, one after the other: their ids are not those of this client alone. */
@Tag("pure")
final class LentConnectionsTest {
    private static final String SEVEN = "id=7 addr=10.0.0.1:40007 name=";
    private static final String EIGHT = "id=8 addr=10.0.0.1:40008 name=";
    private static final String NINE = "id=9 addr=10.0.0.1:40009 name=";

    private final EmbeddedNode node = new EmbeddedNode(new ManualTimer());

    /** Opens a connection that shows these ids, and returns the commands that came before the first question for it. */
    private List<String> connect(String first, String second) {
        node.connect();
        List<ScriptCommand> written = node.written();
        ScriptCommand question = written.get(written.size() - 1);
        List<String> kills = written.stream()
                .filter(call -> call != question)
                .map(call -> words(call).get(1))
                .toList();
        written.stream().filter(call -> call != question).forEach(kill -> EmbeddedNode.answer(kill, 1));
        answer(question, first);
        List<ScriptCommand> again = node.written();
        assertThat(node.link().isUp()).as("before the id is confirmed").isEqualTo(again.isEmpty());
        again.forEach(repeated -> answer(repeated, second));
        assertThat(node.link().isUp()).isTrue();
        return kills;
    }

    private static List<String> words(ScriptCommand call) {
        return EmbeddedNode.words(call);
    }

    private static void answer(ScriptCommand question, String info) {
        question.getOutput().set(ByteBuffer.wrap(info.getBytes(UTF_8)));
        question.complete();
    }

    /** A server's own ids: the connection before is killed. */
    @Test
    void own_isKilled() {
        node.link().isBeside(() -> NINE);
        connect(SEVEN, SEVEN);
        node.disconnect();

        assertThat(connect(EIGHT, EIGHT)).containsExactly("KILL");
    }

    /** One connection shows two ids: each of its commands may be sent on another connection to the server. */
    @Test
    void idsDiffer_nothingIsKilled() {
        connect(SEVEN, EIGHT);
        node.disconnect();

        assertThat(connect(NINE, NINE)).isEmpty();
        node.disconnect();
        assertThat(connect(SEVEN, SEVEN)).isEmpty();
    }

    /** The connection of the subscriptions shows the same id. */
    @Test
    void idOfSubscriptions_nothingIsKilled() {
        node.link().isBeside(() -> SEVEN);
        connect(SEVEN, SEVEN);
        node.disconnect();

        assertThat(connect(EIGHT, EIGHT)).isEmpty();
    }

    /** The connection of the subscriptions has it since then. */
    @Test
    void idOfLaterSubscriptions_nothingIsKilled() {
        connect(SEVEN, SEVEN);
        node.link().isBeside(() -> SEVEN);
        node.disconnect();

        assertThat(connect(EIGHT, EIGHT)).isEmpty();
    }

    /** The next connection has the id of the one before, which it cannot kill: from then on nothing is killed. */
    @Test
    void idOfTheOneBefore_nothingIsKilled() {
        connect(SEVEN, SEVEN);
        node.disconnect();
        connect(SEVEN, SEVEN);
        node.disconnect();

        assertThat(connect(EIGHT, EIGHT)).isEmpty();
    }
}
