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
 * Writes data in Redis on behalf of the owner of a fenced lock, and refuses an owner that was paused for too long: one
 * whose fencing token is smaller than that of the last write. The comparison of the token and the write are one script,
 * and therefore atomic.
 *
 * <p>It runs on a connection of the application, and is independent of the lock: any source of tokens that grow with
 * each owner will do. The data may be on another Redis than the lock.
 *
 * <p><b>Where the token is stored.</b> Beside the data, in the same slot of a cluster: under
 * {@code holdfast_token:{key}}, or under {@code holdfast_token::key} when the key has a hash tag of its own. It has no
 * expiry. Deleting it, or writing the data without the guard, removes the protection. For a key that has no hash tag
 * but contains a closing brace, such as <code>a}b</code> or <code>{}x</code>, there is no other key that is certain to
 * share its slot: such a key is refused, even on a single server, and so is the empty key.
 *
 * <p><b>What it does not guarantee.</b> It knows only the data of this server: a server that has lost its data has lost
 * the last token too, and accepts the first token that comes. {@link Outcome#WRITTEN} does not prove that the writer
 * still holds its lock, only that no later owner has written. The same token may write again, so the guard does not
 * order writes with the same token that are in flight together: after a reconnect the driver may repeat a command that
 * had no reply, and of two writes with one token the older one can be executed last. A writer with several writes to
 * one key should wait for each before the next.
 *
 * <pre>{@code
 * RedisGuard guard = RedisGuard.on(connection.async());
 * if (guard.set("balance:42", "170", lock.getToken()).join() == RedisGuard.Outcome.STALE) {
 *     throw new IllegalStateException("a later holder has written the balance");
 * }
 * }</pre>
 */
public final class RedisGuard {

    /** The outcome of a write. */
    public enum Outcome {
        /** It was written; from now on a smaller token cannot write this key. */
        WRITTEN,
        /** A later owner has written this key: nothing was changed. */
        STALE
    }

    private static final String SCRIPT = source("guarded-write.lua");

    private final RedisScriptingAsyncCommands<String, String> redis;

    private RedisGuard(RedisScriptingAsyncCommands<String, String> redis) {
        this.redis = redis;
    }

    /** {@return a guard that writes through this connection, to a single server or a cluster} */
    public static RedisGuard on(RedisScriptingAsyncCommands<String, String> redis) {
        return new RedisGuard(redis);
    }

    /**
     * Sets a key to a value, and removes its expiry if it had one.
     *
     * @param token the token of the writer's hold, which may have been lost
     * @return completes with the outcome, or exceptionally with the failure of the driver
     * @throws IllegalArgumentException if the token is not positive, or the key is one of those that cannot be guarded
     */
    public CompletableFuture<Outcome> set(String key, String value, long token) {
        return write(key, token, "SET", List.of(value));
    }

    /**
     * {@link #set} for some fields of a hash; the other fields stay. For more than some thousand fields at once Redis
     * replies with an error: then none of them is written, but the token counts as seen.
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

    /** {@return the key of the last token of this key} It is in the same slot, and different for each key. */
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

    /**
     * {@return whether the key has a hash tag} That is a non-empty part between the first opening brace and the next
     * closing one.
     */
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
