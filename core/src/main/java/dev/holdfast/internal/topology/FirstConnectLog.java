package dev.holdfast.internal.topology;

import dev.holdfast.internal.redis.NotExecutedException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why a client that is to be connected in the background is not: once at WARN if Redis cannot be reached, which may
 * end by itself, and once at ERROR if it can be and refuses the client, or is not what the settings say. Further failures
 * are logged at DEBUG. Used by one thread.
 */
final class FirstConnectLog {
    private static final Logger log = LoggerFactory.getLogger(FirstConnectLog.class);

    private boolean warned;
    private boolean reported;

    void failed(Throwable why) {
        boolean temporary = isTemporary(Opening.root(why));
        if (temporary && !warned) {
            warned = true;
            log.warn("Not connected yet, and trying again: {}", why.getMessage());
        } else if (!temporary && !reported) {
            reported = true;
            log.error("Not connected, which will not end by itself: {}", why.getMessage(), why);
        } else {
            log.debug("Not connected yet", why);
        }
    }

    private static boolean isTemporary(Throwable root) {
        if (root instanceof RedisCommandExecutionException refusal) {
            String error = String.valueOf(refusal.getMessage());
            return NotExecutedException.of(error) != null || error.contains("max number of clients");
        }
        return (root instanceof IOException && !(root instanceof SSLException))
                || root instanceof TimeoutException
                || root instanceof RedisConnectionException;
    }
}
