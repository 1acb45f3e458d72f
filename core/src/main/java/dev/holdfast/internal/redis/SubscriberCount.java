package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** The number of connections that are subscribed to a channel. */
public final class SubscriberCount {
    private SubscriberCount() {}

    /**
     * {@return a call that queries it}
     *
     * @param subcommand of PUBSUB
     */
    public static Call of(String subcommand, String channel, Call.Callback caller) {
        return Call.of(CommandType.PUBSUB, caller, subcommand.getBytes(US_ASCII), channel.getBytes(UTF_8));
    }

    /** {@return the number in the answer, which is after the channel's name; 0 if there is none} */
    public static int number(Call answered) {
        List<Object> answer = answered.elements();
        return !answer.isEmpty() && answer.get(answer.size() - 1) instanceof Long number ? number.intValue() : 0;
    }
}
