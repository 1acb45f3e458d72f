package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.Call.Outcome;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes of a cluster, of which the first no longer has all that it is sent. */
@Tag("pure")
final class RedirectedCallTest {
    private static final String ASK = "ASK 7 10.0.0.2:6379";

    private final ManualTimer timer = new ManualTimer();
    private final AtomicLong epochs = new AtomicLong();
    private final Node source = new Node();
    private final Node target = new Node();
    private final List<Call> completed = new ArrayList<>();

    @BeforeEach
    void start() {
        source.start();
    }

    /** A call that is to be asked at another node is sent there, behind ASKING, and has the outcome of that. */
    @Test
    void ask_isForwarded() {
        target.start();
        source.others = target.link;
        Call call = source.send(7);
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
        source.others = target.link;
        List<Call> calls = List.of(source.send(7), source.send(7), source.send(7));
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
        source.others = target.link;
        Call call = source.send(7);
        source.fail(source.written().get(0), ASK);
        assertThat(source.link.inFlight()).isZero();

        source.link.restart(call.epochNumber(), new IllegalStateException("on purpose"));
        assertThat(completed).isEmpty();
        answer(target.written().get(1), 1);
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
    }

    /** If the other node cannot be asked, the call has not been executed. */
    @Test
    void ask_withoutConnection_isNotExecuted() {
        source.others = target.link;
        Call call = source.send(7);
        source.fail(source.written().get(0), ASK);
        assertThat(call.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
        assertThat(call.error()).isEqualTo(ASK);
    }

    /** Nor is it sent on and on: a node that is asked and redirects it again has not executed it. */
    @Test
    void ask_isForwardedOnce() {
        target.start();
        source.others = target.link;
        target.others = source.link;
        Call call = source.send(7);
        source.fail(source.written().get(0), ASK);
        target.fail(target.written().get(1), "ASK 7 10.0.0.1:6379");
        assertThat(call.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
        assertThat(source.written()).isEmpty();
    }

    /** A slot that has moved is known before the sender of the call learns that it was not executed. */
    @Test
    void moved_isKnownFirst() {
        Call call = source.send(7);
        source.fail(source.written().get(0), "MOVED 7 10.0.0.2:6379");
        assertThat(source.notExecuted).singleElement().satisfies(why -> assertThat(why.redirection())
                .isEqualTo(new Redirection(Redirection.Type.MOVED, 7, "10.0.0.2", 6379)));
        assertThat(call.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
        assertThat(source.completedBefore).isZero();
    }

    /** A reply about a slot that is elsewhere by now is not believed. */
    @Test
    void answer_afterTheMove_isNotBelieved() {
        Call moved = source.send(7);
        Call about = source.send(8);
        Call none = source.send(-1);
        source.gone = 7;
        source.written().forEach(call -> answer(call, 1));
        assertThat(moved.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(about.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(none.outcome()).isEqualTo(Outcome.ANSWERED);
    }

    private static void answer(ScriptCommand call, long number) {
        call.getOutput().set(number);
        call.complete();
    }

    /** One node, whose I/O thread runs when the test makes it run. */
    private final class Node implements Routing {
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final RedisLink link = new RedisLink(
                List.of(),
                new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
                Duration.ofSeconds(3),
                epochs,
                this);
        private final List<NotExecutedException> notExecuted = new ArrayList<>();
        private int completedBefore;
        private int gone = -1;
        private @Nullable RedisLink others;

        @SuppressWarnings({"unchecked", "FutureReturnValueIgnored"})
        void start() {
            StatefulRedisConnection<byte[], byte[]> connection =
                    (StatefulRedisConnection<byte[], byte[]>) Proxy.newProxyInstance(
                            Node.class.getClassLoader(),
                            new Class<?>[] {StatefulRedisConnection.class},
                            (proxy, method, arguments) -> method.getName().equals("isOpen") ? true : null);
            link.start(connection, () -> channel, new RedisLink.Listener() {
                @Override
                public void opening(Consumer<Call> first) {}

                @Override
                public void up() {}

                @Override
                public void down(Throwable why) {}
            });
            fail(written().get(0), "NOPERM no CLIENT INFO");
            assertThat(link.isUp()).isTrue();
        }

        Call send(int slot) {
            Call call = Call.of(CommandType.GET, completed::add, "key".getBytes(StandardCharsets.UTF_8));
            call.isAbout(slot);
            link.send(call);
            return call;
        }

        List<ScriptCommand> written() {
            channel.runPendingTasks();
            return Stream.generate(() -> (ScriptCommand) channel.readOutbound())
                    .takeWhile(call -> call != null)
                    .toList();
        }

        void fail(ScriptCommand call, String error) {
            call.getOutput().setError(error);
            call.complete();
        }

        @Override
        public boolean isHere(int slot) {
            return slot != gone;
        }

        @Override
        public @Nullable Silence newSilence() {
            return null;
        }

        @Override
        public void notExecuted(NotExecutedException why) {
            notExecuted.add(why);
            completedBefore = completed.size();
        }

        @Override
        public @Nullable Consumer<Call> toAsk(Redirection ask) {
            return others == null ? null : others::send;
        }
    }
}
