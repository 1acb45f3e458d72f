package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** How many connections listen to a channel. */
public final class SubscriberCount {
    private static final byte[] NUMSUB = "NUMSUB".getBytes(US_ASCII);

    private SubscriberCount() {}

    /** {@return a call that asks for it} */
    public static Call of(byte[] channel, Call.Callback caller) {
        return Call.of(CommandType.PUBSUB, caller, NUMSUB, channel);
    }

    /** {@return what the call was answered, the channel's name and a number; 0 if Redis knows nothing of the channel} */
    public static int number(Call answered) {
        List<Object> answer = answered.elements();
        return !answer.isEmpty() && answer.get(answer.size() - 1) instanceof Long number ? number.intValue() : 0;
    }
}
