package dev.holdfast.internal.kind;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The hash slot of a key: of the part between the first opening brace and the next closing one if there is any, else of
 * the whole key.
 */
public final class HashSlot {
    /** How many slots a cluster has. */
    public static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;

    private HashSlot() {}

    public static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        String tag = close > open + 1 ? key.substring(open + 1, close) : key;
        return crc16(tag.getBytes(UTF_8)) % COUNT;
    }

    /** {@return the variant of CRC-16 that is called XMODEM} */
    private static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte next : bytes) {
            crc ^= (next & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
        }
        return crc & 0xffff;
    }
}
