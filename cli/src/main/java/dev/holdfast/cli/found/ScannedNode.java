package dev.holdfast.cli.found;

import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.MapScanCursor;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * One server whose keys are scanned. No command of it takes long, whatever the keys have.
 *
 * @param id of the node in its cluster; empty without one
 * @param connection commands for this server; fails if it cannot be connected
 */
public record ScannedNode(String id, Supplier<RedisAsyncCommands<String, String>> connection) {
    /** How many keys one command looks at, about half a millisecond of the server's time. */
    public static final int KEYS_PER_PAGE = 1_000;

    /** How many of the fields of a large hash one command looks at: most of those of a lock name a client. */
    private static final int FIELDS_LOOKED_AT = 100;

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** The fields of a lock that have the id of a client, which most do; Redisson's writers have a suffix. No other hash has such. */
    private static final Pattern OF_LOCK =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
                    + ":(-?\\d+(:(write|tenure|token|until|line))?|label|line|writer|reader)");

    public RedisAsyncCommands<String, String> commands() {
        return connection.get();
    }

    /** Requests the next hashes whose names match the pattern. */
    public CompletionStage<KeyScanCursor<String>> page(ScanCursor cursor, String pattern) {
        return commands()
                .scan(cursor, KeyScanArgs.Builder.matches(pattern).type("hash").limit(KEYS_PER_PAGE));
    }

    /** {@return those of these hashes that are locks; a command for each of them} */
    public List<String> locksAmong(List<String> hashes) {
        ScanArgs some = ScanArgs.Builder.limit(FIELDS_LOOKED_AT);
        RedisAsyncCommands<String, String> commands = commands();
        List<RedisFuture<MapScanCursor<String, String>>> looks =
                hashes.stream().map(key -> commands.hscan(key, some)).toList();
        List<String> locks = new ArrayList<>();
        for (int i = 0; i < hashes.size(); i++) {
            if (isLock(looks.get(i))) {
                locks.add(hashes.get(i));
            }
        }
        return locks;
    }

    /** A key may have become one of another type since it was found. */
    private static boolean isLock(CompletionStage<MapScanCursor<String, String>> look) {
        try {
            return join(look).getMap().keySet().stream().anyMatch(OF_LOCK.asMatchPredicate());
        } catch (RedisCommandExecutionException e) {
            if (String.valueOf(e.getMessage()).startsWith("WRONGTYPE")) {
                return false;
            }
            throw e;
        }
    }

    /**
     * {@return the reply}
     *
     * @throws RedisException if there is none in time, or it is an error
     */
    public static <T> T join(CompletionStage<T> reply) {
        try {
            return reply.toCompletableFuture().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new RedisException(e.getCause());
        } catch (TimeoutException e) {
            throw new RedisException("no answer within " + TIMEOUT.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisException("interrupted", e);
        }
    }
}
