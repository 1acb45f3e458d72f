package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script kept as a file beside the class that runs it, and the SHA-1 by which Redis knows it. */
public final class Script {
    private final String name;
    private final byte[] source;
    private final byte[] sha;

    private Script(String name, byte[] source) {
        this.name = name;
        this.source = source;
        this.sha = sha1Hex(source);
    }

    /**
     * Reads a script from the class path.
     *
     * @param beside the class whose package holds the file
     * @param file the file's name, such as {@code acquire.lua}
     * @throws IllegalStateException if the file is missing, which is a packaging error
     */
    public static Script load(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("script " + file + " is missing beside " + beside.getName());
            }
            return new Script(file, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("script " + file + " cannot be read", e);
        }
    }

    /** {@return a call of this script by its SHA; it falls back to the source where the server does not know the SHA} */
    public Call call(byte[][] keys, byte[][] arguments, Call.Caller caller) {
        return call(false, keys, arguments, caller);
    }

    /**
     * {@return a call of this script by its SHA, which is refused where the server does not know it} For commands that must
     * not change places with those sent after them: one that is sent again, in full, would come behind them.
     *
     * @see Call#isUnknownScript
     */
    public Call callInOrder(byte[][] keys, byte[][] arguments, Call.Caller caller) {
        return call(true, keys, arguments, caller);
    }

    private Call call(boolean inOrder, byte[][] keys, byte[][] arguments, Call.Caller caller) {
        return new Call(this, inOrder, CommandType.EVALSHA, evalArguments(sha, keys, arguments), caller);
    }

    /** {@return the arguments of the same call by source, after which the server knows the script} */
    byte[][] inFull(byte[][] bySha) {
        byte[][] full = bySha.clone();
        full[0] = source;
        return full;
    }

    byte[] source() {
        return source;
    }

    private static byte[][] evalArguments(byte[] sha, byte[][] keys, byte[][] arguments) {
        byte[][] all = new byte[2 + keys.length + arguments.length][];
        all[0] = sha;
        all[1] = Integer.toString(keys.length).getBytes(US_ASCII);
        System.arraycopy(keys, 0, all, 2, keys.length);
        System.arraycopy(arguments, 0, all, 2 + keys.length, arguments.length);
        return all;
    }

    private static byte[] sha1Hex(byte[] source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(source);
            return HexFormat.of().formatHex(digest).getBytes(US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    @Override
    public String toString() {
        return name + " (" + new String(sha, UTF_8) + ")";
    }
}
