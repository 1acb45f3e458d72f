package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.Call.Outcome;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One connection's life, and the calls in flight on it. */
@Tag("pure")
final class EpochTest {
    private final Throwable why = new IllegalStateException("on purpose");
    private final List<Call> completed = new ArrayList<>();
    private final AtomicInteger flushes = new AtomicInteger();

    /** Its I/O thread runs when the test makes it run. */
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
        @Override
        public void flush(ChannelHandlerContext context) {
            flushes.incrementAndGet();
            context.flush();
        }
    });

    private final Epoch epoch = new Epoch(1, channel, Routing.NONE, (ended, cause) -> ended.end(cause));

    private final ExecutorService threadPool = Executors.newFixedThreadPool(2);

    @AfterEach
    void endThreads() {
        threadPool.shutdown();
    }

    private Call send() {
        Call ping = Call.of(CommandType.PING, completed::add);
        epoch.send(ping, 0);
        return ping;
    }

    private List<Call> written() {
        channel.runPendingTasks();
        return Stream.generate(() -> (Call) channel.readOutbound())
                .takeWhile(call -> call != null)
                .toList();
    }

    private static void answer(Call call) {
        ((ScriptCommand) call).complete();
    }

    /** Calls fail with the first reason for which the epoch ended. */
    @Test
    void markEnded_firstWins() {
        Call call = send();
        epoch.markEnded(why);
        epoch.markEnded(new IllegalStateException("too late"));
        epoch.end(new IllegalStateException("too late as well"));
        assertThat(call.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(call.cause()).isSameAs(why);
    }

    /** Once the epoch is marked as ended nothing is sent, although calls in flight are not completed yet. */
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
        assertThat(completed).containsExactly(after);
        assertThat(before.isSettled()).isFalse();
        assertThat(written()).isEmpty();
    }

    /**
     * A command that the driver still buffers when the epoch ends is never written, whether its call is completed yet
     * or not.
     */
    @Test
    void markEnded_commandIsDone() {
        ScriptCommand call = (ScriptCommand) send();
        assertThat(written()).containsExactly(call);
        assertThat(call.isDone()).isFalse();
        epoch.markEnded(why);
        assertThat(completed).isEmpty();
        assertThat(call.isDone()).isTrue();
    }

    /** A reply that was read before the end completes its call, marked or not; and only once. */
    @Test
    void answer_afterTheMark() {
        Call call = send();
        epoch.markEnded(why);
        answer(call);
        epoch.end(why);
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(completed).containsExactly(call);
    }

    /** A reply that can only belong to another call ends the epoch: the outcomes of the calls in flight are unknown. */
    @Test
    void answer_ofAnotherCall() {
        Call call = Call.of(CommandType.EVALSHA, completed::add).expectAtLeast(5);
        epoch.send(call, 0);
        Call behind = send();
        ((ScriptCommand) call).getOutput().set(4);
        answer(call);
        assertThat(epoch.isEnded()).isTrue();
        assertThat(completed).containsExactly(call, behind).allMatch(each -> each.outcome() == Outcome.UNKNOWN);
    }

    /** So does a reply with fewer elements than the call has subjects. */
    @Test
    void answer_ofAnotherCall_tooShort() {
        Call call = Call.of(CommandType.EVALSHA, completed::add).expectAtLeastEach(5, 6);
        epoch.send(call, 0);
        ((ScriptCommand) call).getOutput().set(5);
        answer(call);
        assertThat(epoch.isEnded()).isTrue();
        assertThat(call.outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    /** A reply that can be the call's own does not. */
    @Test
    void answer_ofItsOwn() {
        Call call = Call.of(CommandType.EVALSHA, completed::add).expectAtLeast(5);
        epoch.send(call, 0);
        ((ScriptCommand) call).getOutput().set(5);
        answer(call);
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(epoch.isEnded()).isFalse();
    }

    /** The oldest call is the first one sent that has no reply, in whatever order replies come. */
    @Test
    void oldest_isTheFirstUnanswered() {
        Call first = send();
        Call second = send();
        Call third = send();
        answer(second);
        assertThat(epoch.oldest()).isSameAs(first);
        answer(first);
        assertThat(completed).containsExactly(second, first);
        assertThat(epoch.oldest()).isSameAs(third);
        answer(third);
        assertThat(epoch.oldest()).isNull();
    }

    /**
     * Calls that are sent before the I/O thread runs are written in the order of sending, in one write to the socket.
     */
    @Test
    void written_together() {
        List<Call> sent = List.of(send(), send(), send());
        assertThat(written()).containsExactlyElementsOf(sent);
        assertThat(flushes).hasValue(1);
        Call next = send();
        assertThat(written()).containsExactly(next);
        assertThat(flushes).hasValue(2);
        assertThat(written()).isEmpty();
        assertThat(flushes).hasValue(2);
    }

    /**
     * However many calls are sent at once, Redis gets the first of them before the last is written, and all are
     * written.
     */
    @Test
    void written_inParts() {
        List<Call> sent = IntStream.range(0, 1_000).mapToObj(i -> send()).toList();
        assertThat(written()).containsExactlyElementsOf(sent);
        assertThat(flushes.get()).isBetween(1_000 / 100, 1_000 / 10);
        assertThat(channel.unsafe().outboundBuffer().totalPendingWriteBytes()).isZero();
    }

    /** A call that is sent from another call's completion is written like any other. */
    @Test
    void sent_whenSettled() {
        List<Call> chain = new ArrayList<>();
        epoch.send(Call.of(CommandType.PING, call -> chain.add(send())), 0);
        answer(written().get(0));
        assertThat(written()).containsExactlyElementsOf(chain).hasSize(1);
    }

    /** When the I/O thread has terminated the epoch has ended, and the call is completed. */
    @Test
    void send_withoutIoThread() {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
        LocalChannel orphan = new LocalChannel();
        group.register(orphan).syncUninterruptibly();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        List<Throwable> broken = new ArrayList<>();
        Epoch gone = new Epoch(1, orphan, Routing.NONE, (ended, cause) -> {
            broken.add(cause);
            ended.end(cause);
        });
        gone.send(Call.of(CommandType.PING, completed::add), 0);
        assertThat(completed).extracting(Call::outcome).containsExactly(Outcome.UNKNOWN);
        assertThat(broken).singleElement().isInstanceOf(RejectedExecutionException.class);
    }

    /**
     * Whenever the epoch ends while other threads send, each call is completed exactly once, and none is left in
     * flight.
     */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // only to yield the processor to the other thread
    void end_whileOthersSend() {
        int rounds = 5_000;
        AtomicInteger settledCalls = new AtomicInteger();
        List<Epoch> epochs = IntStream.range(0, rounds)
                .mapToObj(round -> new Epoch(round, channel, Routing.NONE, (ended, cause) -> {}))
                .toList();
        AtomicInteger arrived = new AtomicInteger();
        List<CompletableFuture<Void>> threads = IntStream.range(0, 2)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> {
                            for (int round = 0; round < rounds; round++) {
                                arrived.incrementAndGet();
                                while (arrived.get() < 2 * (round + 1)) {
                                    Thread.onSpinWait();
                                }
                                if (thread == 0) {
                                    epochs.get(round).end(why);
                                } else {
                                    epochs.get(round)
                                            .send(Call.of(CommandType.PING, call -> settledCalls.incrementAndGet()), 0);
                                }
                            }
                        },
                        threadPool))
                .toList();
        threads.forEach(CompletableFuture::join);
        assertThat(epochs).allMatch(epoch -> epoch.inFlight() == 0);
        assertThat(settledCalls).hasValue(rounds);
    }
}
