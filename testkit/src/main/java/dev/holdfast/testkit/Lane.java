package dev.holdfast.testkit;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One direction of one connection: a queue of bytes and endings, delivered in order, none before its delay has passed,
 * while the gate is open. Used on the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write means the receiver is gone; its own end detects that
final class Lane {
    private final EventLoop loop;
    private final Deque<Delivery> queue = new ArrayDeque<>();
    private Passage passage;
    private @Nullable Channel target;
    /** Whether a task is scheduled for the first delivery in the queue. */
    private boolean waiting;

    private record Delivery(long dueNanos, Consumer<Channel> action) {}

    Lane(EventLoop loop, Passage passage) {
        this.loop = loop;
        this.passage = passage;
    }

    /** The receiving end is connected: delivers what is queued so far. */
    void connected(Channel receiver) {
        target = receiver;
        drain();
    }

    Passage passage() {
        return passage;
    }

    void change(Passage changed) {
        passage = changed;
        drain();
    }

    void offer(byte[] bytes) {
        if (passage.gate() != Passage.Gate.DROP && bytes.length > 0) {
            enqueue(channel -> channel.write(Unpooled.wrappedBuffer(bytes)));
        }
    }

    /**
     * The sender has ended its stream; {@code delivered} runs once that end has been delivered, or the receiver is
     * closed.
     */
    void finish(Runnable delivered) {
        enqueue(channel -> {
            channel.flush();
            if (channel.isOpen()) {
                ((DuplexChannel) channel).shutdownOutput().addListener(done -> delivered.run());
            } else {
                delivered.run();
            }
        });
    }

    /** The sender has reset the connection. */
    void reset() {
        if (passage.gate() == Passage.Gate.BLACK_HOLE) {
            queue.clear();
        }
        enqueue(Ending.RST::end);
    }

    /** Discards what has not been delivered. */
    void clear() {
        queue.clear();
    }

    private void enqueue(Consumer<Channel> action) {
        queue.add(new Delivery(System.nanoTime() + passage.lateness().toNanos(), action));
        drain();
    }

    private void drain() {
        Channel receiver = target;
        if (receiver == null) {
            return;
        }
        while (!queue.isEmpty() && !isShut()) {
            long left = queue.element().dueNanos - System.nanoTime();
            if (left > 0) {
                drainIn(left);
                break;
            }
            queue.remove().action.accept(receiver);
        }
        receiver.flush();
    }

    /** One task for everything in the queue: one for each delivery would be more tasks than traffic. */
    private void drainIn(long nanos) {
        if (waiting) {
            return;
        }
        waiting = true;
        loop.schedule(
                () -> {
                    waiting = false;
                    drain();
                },
                nanos,
                TimeUnit.NANOSECONDS);
    }

    private boolean isShut() {
        return passage.gate() == Passage.Gate.BLACK_HOLE || passage.gate() == Passage.Gate.HOLD;
    }
}
