package dev.holdfast.script.readwrite;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The scripts of Redisson's read-write lock, as they are in its classes. */
public final class RedissonScripts {
    static final String READ_LOCK = script("RedissonReadLock", "'mode', 'read'", "'hincrby'", "'pttl'");
    static final String READ_UNLOCK = script("RedissonReadLock", "'hincrby'", "'hdel'", "':rwlock_timeout:'");
    static final String WRITE_LOCK = script("RedissonWriteLock", "'mode', 'write'", "'hincrby'", "'pttl'");
    static final String WRITE_UNLOCK = script("RedissonWriteLock", "'hincrby'", "'hdel'", "'mode', 'read'");

    private RedissonScripts() {}

    /** {@return the only text constant of the class that contains all of these} */
    public static String script(String type, String... fragments) {
        List<String> found = constants("/org/redisson/" + type + ".class").stream()
                .filter(text -> List.of(fragments).stream().allMatch(text::contains))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("not one script of " + type + " has " + List.of(fragments) + ": " + found);
        }
        return found.get(0);
    }

    /** {@return the texts in the constant pool of a class} */
    private static List<String> constants(String file) {
        List<String> texts = new ArrayList<>();
        try (InputStream bytes = RedissonScripts.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new AssertionError("no class " + file);
            }
            DataInputStream in = new DataInputStream(bytes);
            in.skipNBytes(8);
            int count = in.readUnsignedShort();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> texts.add(in.readUTF());
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        i++;
                    }
                    case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                    case 15 -> in.skipNBytes(3);
                    default -> in.skipNBytes(4);
                }
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
