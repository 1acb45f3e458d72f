package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One of several nodes, without a server: its I/O thread runs when the test makes it run, and it replies what the test
 * replies. Its connection begins in doubt.
 */
public final class EmbeddedNode implements Routing {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();

    /** Where a script has the tenure of its first claim, behind its name, its one key and the owner. */
    private static final int TENURE = 5;

    private EmbeddedChannel channel = new EmbeddedChannel();
    private final ManualTimer timer;
    private final RedisLink link;
    private final Deque<ScriptCommand> unanswered = new ArrayDeque<>();

    /** How often others were asked whether this node is still the master, and how they answer. */
    private int questions;

    private Supplier<CompletionStage<Boolean>> confirmation = CompletableFuture::new;

    final List<NotExecutedException> notExecuted = new ArrayList<>();
    private int gone = -1;

    @Nullable
    RedisLink others;

    /** Whether calls may be sent in a new epoch: completes if so, and fails if not. */
    Supplier<CompletionStage<?>> mayOpen = () -> CompletableFuture.completedStage(null);

    /** What is done before a caller learns that its call was not executed. */
    Runnable beforeNotExecuted = () -> {};

    public EmbeddedNode(ManualTimer timer) {
        this(timer, new AtomicLong());
    }

    /** @param epochs the number of the latest epoch of all nodes */
    EmbeddedNode(ManualTimer timer, AtomicLong epochs) {
        this.timer = timer;
        this.link = new RedisLink(
                List.of(),
                new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
                COMMAND_TIMEOUT,
                epochs,
                this,
                null);
    }

    /** Begins its first connection. */
    public void start() {
        connect();
        fail(written().get(0), "NOPERM no CLIENT INFO");
        assertThat(link.isUp()).isTrue();
    }

    /** The driver has made a connection. */
    @SuppressWarnings({"unchecked", "FutureReturnValueIgnored"})
    void connect() {
        EmbeddedChannel present = channel.isOpen() ? channel : new EmbeddedChannel();
        channel = present;
        StatefulRedisConnection<byte[], byte[]> connection =
                (StatefulRedisConnection<byte[], byte[]>) Proxy.newProxyInstance(
                        EmbeddedNode.class.getClassLoader(),
                        new Class<?>[] {StatefulRedisConnection.class},
                        (proxy, method, arguments) -> method.getName().equals("isOpen") ? true : null);
        link.start(connection, () -> present, RedisLink.Listener.NONE);
    }

    public RedisLink link() {
        return link;
    }

    /** Others say that this node is the master: what it replies is in no doubt until it is silent. */
    public void confirmed() {
        link.confirmed(timer.nanoTime());
    }

    /** Another node has this slot from now on, as the client knows. */
    public void movedAway(int slot) {
        gone = slot;
    }

    /** Its connection ends. */
    public void disconnect() {
        link.restart(link.epochNumber(), new IllegalStateException("on purpose"));
    }

    /** {@return how often others were asked whether this node is still the master} */
    public int questions() {
        return questions;
    }

    /** From now on, others are asked about this node in this way. */
    public void confirmBy(Supplier<CompletionStage<Boolean>> answer) {
        confirmation = answer;
    }

    /** From now on, others say at once that this node is the master, or nobody says it. */
    public void confirmBy(boolean answer) {
        confirmBy(() -> CompletableFuture.completedStage(answer));
    }

    /** {@return the words of the oldest command that has no reply} */
    public List<String> received() {
        unanswered.addAll(written());
        return words(unanswered.getFirst());
    }

    /** {@return the words of a command} */
    static List<String> words(ScriptCommand call) {
        ByteBuf out = Unpooled.buffer();
        call.encode(out);
        return Arrays.stream(out.toString(StandardCharsets.UTF_8).split("\r\n", -1))
                .filter(line -> !line.isEmpty() && !line.startsWith("*") && !line.startsWith("$"))
                .toList();
    }

    /** {@return the tenure of the first claim of the script that was called by the oldest command without a reply} */
    public long tenure() {
        return Long.parseLong(received().get(TENURE));
    }

    /** {@return how many commands have no reply} */
    public int unanswered() {
        unanswered.addAll(written());
        return unanswered.size();
    }

    /** Replies to the oldest command that has no reply. */
    public void reply(long number) {
        unanswered.addAll(written());
        answer(unanswered.removeFirst(), number);
    }

    /** The same, with an array of integers. */
    public void replyEach(long... elements) {
        replyAll(Arrays.stream(elements).boxed().toList());
    }

    /** The same, with an array of integers and texts. */
    public void replyAll(List<?> elements) {
        unanswered.addAll(written());
        ScriptCommand oldest = unanswered.removeFirst();
        oldest.getOutput().multi(elements.size());
        for (Object element : elements) {
            if (element instanceof Long number) {
                oldest.getOutput().set(number);
            } else {
                oldest.getOutput().set(StandardCharsets.UTF_8.encode(element.toString()));
            }
        }
        oldest.complete();
    }

    static void answer(ScriptCommand call, long number) {
        call.getOutput().set(number);
        call.complete();
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
    public Silence newSilence() {
        return new Silence(timer::nanoTime, LONGEST_NANOS);
    }

    @Override
    public void notExecuted(NotExecutedException why) {
        notExecuted.add(why);
        beforeNotExecuted.run();
    }

    @Override
    public @Nullable Consumer<Call> toAsk(Redirection ask) {
        return others == null ? null : others::send;
    }

    @Override
    public CompletionStage<?> confirm(Consumer<Call> first) {
        return mayOpen.get();
    }

    @Override
    public CompletionStage<Boolean> confirmAgain() {
        questions++;
        return confirmation.get();
    }
}
