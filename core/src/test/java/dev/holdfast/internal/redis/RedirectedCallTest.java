package dev.holdfast.internal.redis;

import static dev.holdfast.internal.redis.EmbeddedNode.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.Call.Outcome;
import dev.holdfast.testkit.ManualTimer;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes of a cluster, of which the first no longer has all that it is sent. */
@Tag("pure")
final class RedirectedCallTest {
    private static final String ASK = "ASK 7 10.0.0.2:6379";

    private final ManualTimer timer = new ManualTimer();
    private final AtomicLong epochs = new AtomicLong();
    private final EmbeddedNode source = new EmbeddedNode(timer, epochs);
    private final EmbeddedNode target = new EmbeddedNode(timer, epochs);
    private final List<Call> completed = new ArrayList<>();

    @BeforeEach
    void start() {
        source.start();
    }

    /** A call that is to be asked at another node is sent there, behind ASKING, and has the outcome of that. */
    @Test
    void ask_isForwarded() {
        target.start();
        source.others = target.link();
        Call call = send(7);
        source.fail(source.written().get(0), ASK);
        assertThat(completed).isEmpty();

        List<ScriptCommand> written = target.written();
        assertThat(written).extracting(Object::toString).containsExactly("ASKING", "GET");
        written.get(0).complete();
        answer(written.get(1), 42);

        assertThat(completed).containsExactly(call);
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.number()).isEqualTo(42);
    }

    /** Calls that are redirected in a row keep their order. */
    @Test
    void ask_keepsTheOrder() {
        target.start();
        source.others = target.link();
        List<Call> calls = List.of(send(7), send(7), send(7));
        source.written().forEach(call -> source.fail(call, ASK));
        for (ScriptCommand call : target.written()) {
            answer(call, 1);
        }
        assertThat(completed).containsExactlyElementsOf(calls);
    }

    /** The node that has redirected a call does not owe an answer any more, and its end does not settle the call. */
    @Test
    void ask_outlivesItsEpoch() {
        target.start();
        source.others = target.link();
        Call call = send(7);
        source.fail(source.written().get(0), ASK);
        assertThat(source.link().inFlight()).isZero();

        source.disconnect();
        assertThat(completed).isEmpty();
        answer(target.written().get(1), 1);
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
    }

    /** If the other node cannot be asked, the call has not been executed. */
    @Test
    void ask_withoutConnection_isNotExecuted() {
        source.others = target.link();
        Call call = send(7);
        source.fail(source.written().get(0), ASK);
        assertThat(call.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
        assertThat(call.error()).isEqualTo(ASK);
    }

    /** Nor is it sent on and on: a node that is asked and redirects it again has not executed it. */
    @Test
    void ask_isForwardedOnce() {
        target.start();
        source.others = target.link();
        target.others = source.link();
        Call call = send(7);
        source.fail(source.written().get(0), ASK);
        target.fail(target.written().get(1), "ASK 7 10.0.0.1:6379");
        assertThat(call.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
        assertThat(source.written()).isEmpty();
    }

    /** A slot that has moved is known before the sender of the call learns that it was not executed. */
    @Test
    void moved_isKnownFirst() {
        List<Integer> before = new ArrayList<>();
        source.beforeNotExecuted = () -> before.add(completed.size());
        Call call = send(7);
        source.fail(source.written().get(0), "MOVED 7 10.0.0.2:6379");
        assertThat(source.notExecuted).singleElement().satisfies(why -> assertThat(why.redirection())
                .isEqualTo(new Redirection(Redirection.Type.MOVED, 7, "10.0.0.2", 6379)));
        assertThat(call.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
        assertThat(before).containsExactly(0);
    }

    /** A reply about a slot that is elsewhere by now is not believed. */
    @Test
    void answer_afterTheMove_isNotBelieved() {
        Call moved = send(7);
        Call about = send(8);
        Call none = send(-1);
        source.movedAway(7);
        source.written().forEach(call -> answer(call, 1));
        assertThat(moved.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(about.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(none.outcome()).isEqualTo(Outcome.ANSWERED);
    }

    /** What the node that was asked in place of another replies is as doubtful as all that it replies. */
    @Test
    void ask_ofADoubtedNode() {
        target.start();
        source.others = target.link();
        source.confirmed();
        Call call = send(7);
        source.fail(source.written().get(0), ASK);
        answer(target.written().get(1), 42);
        assertThat(call.isDoubtful()).isTrue();

        target.confirmBy(false);
        assertThat(call.confirm()).isCompletedWithValue(false);
        assertThat(target.questions()).isEqualTo(1);
        assertThat(source.questions()).isZero();
    }

    /** Nor does it matter that the node which has redirected the call is in doubt. */
    @Test
    void ask_byADoubtedNode() {
        target.start();
        source.others = target.link();
        target.confirmed();
        Call call = send(7);
        source.fail(source.written().get(0), ASK);
        answer(target.written().get(1), 42);
        assertThat(call.isDoubtful()).isFalse();
    }

    /** Calls that were sent as one, which was redirected, are as doubtful as that. */
    @Test
    void ask_ofAJointCall() {
        target.start();
        source.others = target.link();
        source.confirmed();
        Call part = Call.of(CommandType.GET, completed::add);
        source.link().send(Call.of(CommandType.GET, Call.joint(List.of(part))));
        source.fail(source.written().get(0), ASK);
        answer(target.written().get(1), 42);
        assertThat(part.isDoubtful()).isTrue();
    }

    /** A new connection is one to a node that may have been replaced before, until others say that it was not. */
    @Test
    void connection_beginsInDoubt() {
        Call first = send(7);
        answer(source.written().get(0), 1);
        assertThat(first.isDoubtful()).isTrue();

        source.confirmed();
        assertThat(first.isDoubtful()).isFalse();
        Call second = send(7);
        answer(source.written().get(0), 1);
        assertThat(second.isDoubtful()).isFalse();
    }

    private Call send(int slot) {
        Call call = Call.of(CommandType.GET, completed::add, "key".getBytes(StandardCharsets.UTF_8));
        call.isAbout(slot);
        source.link().send(call);
        return call;
    }
}
