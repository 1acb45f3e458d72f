package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** The number of connections that are subscribed to a channel. */
public final class SubscriberCount {
    private static final CommandPrefix PUBSUB = CommandPrefix.of(CommandType.PUBSUB);

    private SubscriberCount() {}

    /** {@return a call that queries it} */
    public static Call of(String channel, Call.Callback caller) {
        return ScriptCommand.plain(PUBSUB, 2, frame -> frame.numsub().word(channel), caller);
    }

    /** {@return a call that queries none, which a server refuses that has no sharded channels} */
    public static Call ofNoShardedChannel(Call.Callback caller) {
        return Call.of(CommandType.PUBSUB, caller, "SHARDNUMSUB".getBytes(US_ASCII));
    }

    /** {@return the number in the answer, which is after the channel's name; 0 if there is none} */
    public static int number(Call answered) {
        List<Object> answer = answered.elements();
        return !answer.isEmpty() && answer.get(answer.size() - 1) instanceof Long number ? number.intValue() : 0;
    }
}
