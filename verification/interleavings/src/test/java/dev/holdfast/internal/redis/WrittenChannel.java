package dev.holdfast.internal.redis;

import static dev.holdfast.interleavings.Interleavings.require;

import dev.holdfast.interleavings.Standin;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A channel without a peer: it records what is written, and the thread that runs its tasks is its I/O thread. */
final class WrittenChannel {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Object> written = new ArrayList<>();
    private final EventLoop loop = Standin.of(EventLoop.class, this::onLoop);
    private final Channel channel = Standin.of(Channel.class, this::onChannel);

    Channel asChannel() {
        return channel;
    }

    private synchronized @Nullable Object onLoop(String method, @Nullable Object[] arguments) {
        if (!method.equals("execute")) {
            throw new AssertionError("an epoch must not call " + method);
        }
        tasks.add((Runnable) Objects.requireNonNull(arguments[0]));
        return null;
    }

    private synchronized @Nullable Object onChannel(String method, @Nullable Object[] arguments) {
        return switch (method) {
            case "eventLoop" -> loop;
            case "write" -> {
                written.add(Objects.requireNonNull(arguments[0]));
                yield null;
            }
            case "flush" -> channel;
            default -> throw new AssertionError("an epoch must not call " + method);
        };
    }

    private synchronized @Nullable Runnable nextTask() {
        return tasks.poll();
    }

    /** Runs one task of the I/O thread, if there is one. */
    void runTask() {
        Runnable task = nextTask();
        if (task != null) {
            task.run();
        }
    }

    void runAllTasks() {
        for (Runnable task = nextTask(); task != null; task = nextTask()) {
            task.run();
        }
    }

    synchronized int written() {
        return written.size();
    }

    /** Requires that these calls were written, in this order. */
    synchronized void requireWritten(Call... calls) {
        int from = -1;
        for (Call call : calls) {
            int at = written.indexOf(call);
            require(at > from, "all were written, in the order they were sent");
            from = at;
        }
    }
}
