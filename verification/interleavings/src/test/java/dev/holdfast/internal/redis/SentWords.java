package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** What a command says to the server, word by word. */
public final class SentWords {
    private SentWords() {}

    /** {@return the words of a command as it is sent: its name, and its arguments} */
    public static List<String> of(Call command) {
        ByteBuf out = Unpooled.buffer();
        try {
            ((ScriptCommand) command).encode(out);
            int count = header(out, '*');
            List<String> words = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                int length = header(out, '$');
                words.add(out.readCharSequence(length, UTF_8).toString());
                out.skipBytes(2);
            }
            return words;
        } finally {
            out.release();
        }
    }

    private static int header(ByteBuf out, char type) {
        if (out.readByte() != type) {
            throw new AssertionError("a command is an array of bulk strings");
        }
        int number = 0;
        for (byte digit = out.readByte(); digit != '\r'; digit = out.readByte()) {
            number = 10 * number + digit - '0';
        }
        out.skipBytes(1);
        return number;
    }
}
