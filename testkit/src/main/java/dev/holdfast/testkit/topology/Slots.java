package dev.holdfast.testkit.topology;

import java.nio.charset.StandardCharsets;

/** The hash slots of a cluster. */
public final class Slots {
    /** The number of slots of every cluster. */
    public static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;

    private Slots() {}

    /** {@return the slot of a key: of its part between the first braces if there is one, otherwise of all of it} */
    public static int of(String key) {
        return crc16(tag(key).getBytes(StandardCharsets.UTF_8)) % COUNT;
    }

    /**
     * {@return a text without braces that has this slot} It can be used as a key, or between braces as the common tag
     * of several keys.
     */
    public static String keyIn(int slot) {
        checked(slot);
        int number = 0;
        while (of("k" + number) != slot) {
            number++;
        }
        return "k" + number;
    }

    static int checked(int slot) {
        if (slot < 0 || slot >= COUNT) {
            throw new IllegalArgumentException("slot must be between 0 and " + (COUNT - 1) + ", was " + slot);
        }
        return slot;
    }

    private static String tag(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        return open < 0 || close <= open + 1 ? key : key.substring(open + 1, close);
    }

    /** The variant of CRC-16 that is called XMODEM. */
    private static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte next : bytes) {
            crc ^= (next & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
            crc &= 0xffff;
        }
        return crc;
    }
}
