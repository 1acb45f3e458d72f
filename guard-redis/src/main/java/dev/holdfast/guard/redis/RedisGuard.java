package dev.holdfast.guard.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Writes data in Redis on behalf of the holder of a fenced lock, and refuses the holder that was paused for too long: one
 * whose fencing token is smaller than that of the last write. Token, comparison and write are one script, so nothing comes
 * in between.
 *
 * <p>It runs on a connection of yours, and knows nothing of locks: any source of tokens will do that grow with each holder.
 * The data may live on another Redis than the lock.
 *
 * <p><b>Where the token is kept.</b> Beside the data, in the same slot of a cluster: under {@code holdfast_token:{key}}, or
 * under {@code holdfast_token::key} when the key has a hash tag of its own. It has no expiry. Whoever deletes it, or writes the
 * data by another way, does without the guard. A key that has no hash tag and a closing brace in it, such as <code>a}b</code> or
 * <code>{}x</code>, has no other key of which it is certain that it shares the slot: that one is refused, also on a single
 * server, and so is the empty one.
 *
 * <p><b>What it does not guarantee.</b> It knows what this server knows: one that has lost its data has lost the last token
 * too, and takes the first one that comes. It does not say that the writer still holds its lock, only that no later holder
 * has written. The same token may write again, so it says nothing of the order of writes that are on their way together: the
 * driver may send what had no answer again after a reconnect, and of two writes with one token the older one can be the last.
 * Who has several for one key waits for each before the next.
 *
 * <pre>{@code
 * RedisGuard guard = RedisGuard.on(connection.async());
 * if (guard.set("balance:42", "170", lock.getToken()).join() == RedisGuard.Outcome.STALE) {
 *     throw new IllegalStateException("a later holder has written the balance");
 * }
 * }</pre>
 */
public final class RedisGuard {

    /** What became of a write. */
    public enum Outcome {
        /** It was written; from now on nobody with a smaller token writes this key. */
        WRITTEN,
        /** A later holder has written this key: nothing was done. */
        STALE
    }

    private static final String SCRIPT = source("guarded-write.lua");

    private final RedisScriptingAsyncCommands<String, String> redis;

    private RedisGuard(RedisScriptingAsyncCommands<String, String> redis) {
        this.redis = redis;
    }

    /** {@return a guard that writes by this connection, of a single server or of a cluster} */
    public static RedisGuard on(RedisScriptingAsyncCommands<String, String> redis) {
        return new RedisGuard(redis);
    }

    /**
     * Sets a key to a value, and removes its expiry if it had one.
     *
     * @param token the token of the hold that the writer believes to have
     * @return completes with what became of it, exceptionally with what the driver fails with
     * @throws IllegalArgumentException if the token is not positive, or the key is one of those that cannot be guarded
     */
    public CompletableFuture<Outcome> set(String key, String value, long token) {
        return write(key, token, "SET", List.of(value));
    }

    /**
     * {@link #set} for some fields of a hash; the others stay. Of more than some thousand fields at once Redis makes an error:
     * nothing of them is written then, but the token counts as seen.
     *
     * @throws IllegalArgumentException if there is no field, or as {@link #set} does
     */
    public CompletableFuture<Outcome> hset(String key, Map<String, String> fields, long token) {
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one field to write, was " + fields);
        }
        List<String> words = new ArrayList<>();
        fields.forEach((field, value) -> words.addAll(List.of(field, value)));
        return write(key, token, "HSET", words);
    }

    /** {@link #set} for the deletion of a key. The last token stays. */
    public CompletableFuture<Outcome> del(String key, long token) {
        return write(key, token, "DEL", List.of());
    }

    private CompletableFuture<Outcome> write(String key, long token, String command, List<String> words) {
        if (token <= 0) {
            throw new IllegalArgumentException(
                    "token must be positive, was " + token + "; a hold without a token has none");
        }
        List<String> arguments = new ArrayList<>(List.of(Long.toString(token), command));
        arguments.addAll(words);
        String[] keys = {key, tokenKey(key)};
        return redis.<Long>eval(SCRIPT, ScriptOutputType.INTEGER, keys, arguments.toArray(String[]::new))
                .toCompletableFuture()
                .thenApply(written -> written == 1 ? Outcome.WRITTEN : Outcome.STALE);
    }

    /** {@return where the last token of this key is kept} In the same slot, and no other key's is kept there. */
    static String tokenKey(String key) {
        if (hasTag(key)) {
            return "holdfast_token::" + key;
        }
        if (key.isEmpty() || key.indexOf('}') >= 0) {
            throw new IllegalArgumentException("a key must have a hash tag, or be not empty and without '}', was \""
                    + key + "\"; there is no other key that surely shares its slot");
        }
        return "holdfast_token:{" + key + "}";
    }

    /** {@return whether the slot is that of a part of the key} It lies between the first opening brace and the next closing one. */
    private static boolean hasTag(String key) {
        int open = key.indexOf('{');
        return open >= 0 && key.indexOf('}', open) > open + 1;
    }

    private static String source(String file) {
        try (InputStream in = RedisGuard.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("script " + file + " is missing beside " + RedisGuard.class.getName());
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("script " + file + " cannot be read", e);
        }
    }
}
