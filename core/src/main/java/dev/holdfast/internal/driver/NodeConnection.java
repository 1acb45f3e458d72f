package dev.holdfast.internal.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.redis.RedisLink;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A connection of the driver to a Redis node, before or beside its use by a link: for queries about the node itself. */
public final class NodeConnection {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final Supplier<Channel> channel;

    /** The link that has it; null before {@link #start}. */
    private volatile @Nullable RedisLink link;

    private final AtomicBoolean closed = new AtomicBoolean();

    public NodeConnection(StatefulRedisConnection<byte[], byte[]> connection, CommandChannels channels) {
        this.connection = connection;
        this.channel = channels.of(connection);
    }

    /** Begins the first epoch of a link, which closes this connection from now on. */
    public CompletionStage<@Nullable Void> start(RedisLink link, RedisLink.Listener listener) {
        this.link = link;
        return link.start(connection, channel, listener);
    }

    /** {@return a section of what the server says about itself} */
    public CompletionStage<String> info(String section) {
        return connection.async().info(section);
    }

    /** {@return the reply to CLUSTER SLOTS, flattened} */
    public CompletionStage<List<Object>> clusterSlots() {
        return query(CommandType.CLUSTER, "SLOTS");
    }

    /** {@return the reply to CLUSTER NODES, one text: all nodes that it knows, those included that have failed} */
    public CompletionStage<List<Object>> clusterNodes() {
        return query(CommandType.CLUSTER, "NODES");
    }

    /** {@return the host and the port of the master that a sentinel knows by this name; of another size if it knows none} */
    public CompletionStage<List<Object>> masterAddress(String master) {
        return query(CommandType.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master);
    }

    /** {@return the reply to HELLO, flattened: names and values of what the server is} */
    public CompletionStage<List<Object>> hello() {
        return query(CommandType.HELLO);
    }

    /** {@return completes normally if the server knows sharded channels, and the user may count their subscribers} */
    public CompletionStage<List<Object>> countSharded() {
        return query(CommandType.PUBSUB, "SHARDNUMSUB");
    }

    /** {@return the number of replicas that have all writes of this connection; completes at once} */
    public CompletionStage<List<Object>> replicasThatConfirm() {
        return query(CommandType.WAIT, "0", "0");
    }

    /** {@return the elements of the reply: integers as {@code Long}, all others as texts, nil as an empty one} */
    private CompletionStage<List<Object>> query(CommandType command, String... words) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        for (String word : words) {
            arguments.add(word);
        }
        return connection
                .async()
                .dispatch(command, new ArrayOutput<>(ByteArrayCodec.INSTANCE), arguments)
                .thenApply(reply -> flattened(reply).toList());
    }

    private static Stream<Object> flattened(@Nullable Object element) {
        if (element instanceof List<?> nested) {
            return nested.stream().flatMap(NodeConnection::flattened);
        }
        if (element instanceof byte[] text) {
            return Stream.of(new String(text, UTF_8));
        }
        return Stream.of(element == null ? "" : element instanceof Long ? element : element.toString());
    }

    /** Closes it, and its link if it has one. The driver would warn about a second close, which is ignored. */
    public CompletionStage<Void> closeAsync() {
        RedisLink user = link;
        if (user != null) {
            return user.closeAsync();
        }
        return closed.getAndSet(true) ? CompletableFuture.completedStage(null) : connection.closeAsync();
    }
}
