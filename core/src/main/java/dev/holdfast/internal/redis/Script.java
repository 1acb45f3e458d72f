package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Lua script, loaded from files beside the class that runs it, and the SHA-1 by which Redis identifies it. */
public final class Script {
    /** A comment that stands for the content of another file. */
    private static final Pattern INCLUDE = Pattern.compile("^-- include (\\S+)$", Pattern.MULTILINE);

    private final String name;
    private final byte[] source;
    private final String sha;
    private final CommandPrefix bySha;
    private final CommandPrefix inFull;

    private Script(String name, byte[] source) {
        this.name = name;
        this.source = source;
        this.sha = sha1Hex(source);
        this.bySha = CommandPrefix.of(CommandType.EVALSHA, sha.getBytes(US_ASCII));
        this.inFull = CommandPrefix.of(CommandType.EVAL, source);
    }

    /**
     * Reads a script from the class path. A line {@code -- include FILE} in it is replaced by that file.
     *
     * @param beside the class whose package holds the file
     * @param file the file's name, such as {@code acquire.lua}
     * @throws IllegalStateException if the file is missing, which is a packaging error
     */
    public static Script load(Class<?> beside, String file) {
        return new Script(file, text(beside, file).getBytes(UTF_8));
    }

    private static String text(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("script " + file + " is missing beside " + beside.getName());
            }
            String text = new String(in.readAllBytes(), UTF_8);
            return INCLUDE.matcher(text)
                    .replaceAll(found -> Matcher.quoteReplacement(
                            text(beside, found.group(1)).stripTrailing()));
        } catch (IOException e) {
            throw new UncheckedIOException("script " + file + " cannot be read", e);
        }
    }

    /**
     * {@return a call of this script by its SHA; it falls back to the source if the server does not know the SHA}
     *
     * @param keys how many keys it has
     * @param arguments how many arguments it has
     * @param words writes the keys and then the arguments
     */
    public Call call(int keys, int arguments, ArgumentWriter words, Call.Callback caller) {
        return ScriptCommand.of(this, false, keys, arguments, words, caller);
    }

    /**
     * {@return a call of this script by its SHA, which is refused if the server does not know it} For commands that
     * must be executed before those sent after them: a fallback to the source would be executed after those.
     *
     * @param keys how many keys it has
     * @param arguments how many arguments it has
     * @param words writes the keys and then the arguments
     */
    public Call callInOrder(int keys, int arguments, ArgumentWriter words, Call.Callback caller) {
        return ScriptCommand.of(this, true, keys, arguments, words, caller);
    }

    /**
     * {@return a call of this script with its source} It keeps its position among other calls, whether or not the
     * server knows the script.
     *
     * @param keys how many keys it has
     * @param arguments how many arguments it has
     * @param words writes the keys and then the arguments
     */
    public Call callInFull(int keys, int arguments, ArgumentWriter words, Call.Callback caller) {
        return ScriptCommand.inFull(this, keys, arguments, words, caller);
    }

    /** {@return the prefix of a call by SHA} */
    CommandPrefix bySha() {
        return bySha;
    }

    /** {@return the prefix of a call with the source, after which the server knows the script} */
    CommandPrefix inFull() {
        return inFull;
    }

    /** {@return what is sent to Redis; not to be modified} */
    public byte[] source() {
        return source;
    }

    private static String sha1Hex(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    @Override
    public String toString() {
        return name + " (" + sha + ")";
    }
}
