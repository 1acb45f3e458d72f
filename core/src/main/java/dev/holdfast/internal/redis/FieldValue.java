package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** The value of a field of a hash. */
public final class FieldValue {
    private FieldValue() {}

    /** {@return a call that queries it} */
    public static Call of(String key, String field, Call.Callback caller) {
        return Call.of(CommandType.HGET, caller, key.getBytes(UTF_8), field.getBytes(UTF_8));
    }

    /** {@return the value in the answer; empty if there is none} */
    public static String value(Call answered) {
        List<Object> answer = answered.elements();
        return answer.isEmpty() ? "" : String.valueOf(answer.get(0));
    }
}
