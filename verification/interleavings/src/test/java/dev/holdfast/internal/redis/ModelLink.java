package dev.holdfast.internal.redis;

import static dev.holdfast.interleavings.Orders.pointOutsideMonitors;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.interleavings.Standin;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A link to a server that runs a command when it is written. The thread that calls {@link #turn} is its I/O thread: it
 * writes what was sent, or reads one reply.
 */
public final class ModelLink {
    /** The behaviour of the server. */
    public interface Server {
        /** {@return the elements of the reply to the command, numbers and texts; null if it is refused} */
        @Nullable
        List<Object> run(Call command);
    }

    private static final class Answer {
        final ScriptCommand call;
        final @Nullable List<Object> elements;

        Answer(ScriptCommand call, @Nullable List<Object> elements) {
            this.call = call;
            this.elements = elements;
        }
    }

    private final Server server;
    private final RedisLink link;
    private final EventLoop loop = Standin.of(EventLoop.class, this::onLoop);

    // Guarded by this.
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Queue<Answer> answers = new ArrayDeque<>();

    /** Written once, by the link. */
    private @Nullable RedisConnectionStateListener driver;

    @SuppressWarnings("unchecked")
    public ModelLink(Server server, Deadlines deadlines, Duration commandTimeout) {
        this(server, deadlines, commandTimeout, new AtomicLong(), Routing.NONE);
    }

    /** As above, for one of several servers. */
    public ModelLink(Server server, Deadlines deadlines, Duration commandTimeout, AtomicLong epochs, Routing routing) {
        this.server = server;
        link = new RedisLink(List.of(), deadlines, commandTimeout, epochs, routing, null);
    }

    public RedisLink link() {
        return link;
    }

    /** Begins the first epoch of the link. */
    @SuppressWarnings("unchecked")
    public CompletionStage<@Nullable Void> start(RedisLink.Listener listener) {
        Channel channel = Standin.of(Channel.class, this::onChannel);
        return link.start(Standin.of(StatefulRedisConnection.class, this::onConnection), () -> channel, listener);
    }

    private @Nullable Object onConnection(String method, @Nullable Object[] arguments) {
        if (method.equals("addListener")) {
            driver = (RedisConnectionStateListener) arguments[0];
        } else if (!method.equals("isOpen")) {
            throw new AssertionError("a link must not call " + method);
        }
        return method.equals("isOpen") ? true : null;
    }

    private @Nullable Object onChannel(String method, @Nullable Object[] arguments) {
        return switch (method) {
            case "eventLoop" -> loop;
            case "write" -> {
                ScriptCommand call = (ScriptCommand) Objects.requireNonNull(arguments[0]);
                List<Object> elements = server.run(call);
                synchronized (this) {
                    answers.add(new Answer(call, elements));
                }
                yield null;
            }
            case "flush" -> null;
            case "remoteAddress" -> new InetSocketAddress(0);
            case "disconnect" -> {
                later(this::cut);
                yield null;
            }
            default -> throw new AssertionError("an epoch must not call " + method);
        };
    }

    private @Nullable Object onLoop(String method, @Nullable Object[] arguments) {
        if (!method.equals("execute")) {
            throw new AssertionError("an epoch must not call " + method);
        }
        later((Runnable) Objects.requireNonNull(arguments[0]));
        pointOutsideMonitors("the end of a send");
        return null;
    }

    private synchronized void later(Runnable task) {
        tasks.add(task);
    }

    public synchronized boolean hasWork() {
        return !tasks.isEmpty() || !answers.isEmpty();
    }

    /** Runs one pending action of the I/O thread. */
    public void turn() {
        Runnable task;
        Answer answer;
        synchronized (this) {
            task = tasks.poll();
            answer = task == null ? answers.poll() : null;
        }
        if (task != null) {
            task.run();
        } else if (answer != null) {
            read(answer);
        }
    }

    private static void read(Answer answer) {
        if (answer.elements == null) {
            answer.call.getOutput().setError("ERR refused");
        } else {
            answer.call.getOutput().multi(answer.elements.size());
            for (Object element : answer.elements) {
                if (element instanceof Long number) {
                    answer.call.getOutput().set(number);
                } else {
                    answer.call
                            .getOutput()
                            .set(ByteBuffer.wrap(element.toString().getBytes(UTF_8)));
                }
            }
        }
        answer.call.complete();
    }

    /** Loses the connection, including unwritten commands and unread replies, and makes a new one. */
    public void cut() {
        lose().onRedisConnected(null, new InetSocketAddress(0));
    }

    /** Loses the connection in the same way, for ever. */
    public void die() {
        lose();
    }

    private RedisConnectionStateListener lose() {
        RedisConnectionStateListener listener = Objects.requireNonNull(driver, "not started");
        synchronized (this) {
            tasks.clear();
            answers.clear();
        }
        listener.onRedisDisconnected(null);
        return listener;
    }
}
