package dev.holdfast.internal.redis;

import java.io.Serial;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Redis answered a command with an error that means that it did not execute it, for a temporary reason: the command had
 * no effect, and may be sent again. This class alone decides which errors these are.
 *
 * <table>
 *   <caption>The errors</caption>
 *   <tr><td>{@code BUSY}</td><td>another client's script exceeds the server's time limit</td></tr>
 *   <tr><td>{@code LOADING}</td><td>the server is loading its data</td></tr>
 *   <tr><td>{@code MASTERDOWN}</td><td>a replica without its master, configured not to serve stale data</td></tr>
 *   <tr><td>{@code READONLY}</td><td>a replica: a demoted master, or one that is not promoted yet</td></tr>
 *   <tr><td>{@code NOREPLICAS}</td><td>the master has too few replicas to accept writes</td></tr>
 *   <tr><td>{@code CLUSTERDOWN}, {@code TRYAGAIN}</td><td>a cluster under repair, or a slot in migration</td></tr>
 *   <tr><td>{@code UNBLOCKED}</td><td>a master that was waiting for its replicas, and is one by now</td></tr>
 *   <tr><td>{@code MOVED}, {@code ASK}</td><td>another node of the cluster has the keys: a {@link Redirection}</td></tr>
 * </table>
 *
 * <p>All but two of them refuse a script before it starts. {@code READONLY} and {@code NOREPLICAS} refuse the first
 * write command of a script, so the script may have read, but has written nothing: their conditions do not change while
 * a script runs. Redis 7 returns the error unchanged, Redis 6.2 prepends the position in the script.
 */
public final class NotExecutedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private static final Pattern ERROR = Pattern.compile("(?:^|@user_script: \\d+: -)"
            + "(BUSY|LOADING|MASTERDOWN|READONLY|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|UNBLOCKED)(?: |$)");

    private static final Set<String> OF_REPLICA = Set.of("MASTERDOWN", "READONLY");

    private final transient @Nullable Redirection redirection;

    private NotExecutedException(String error, @Nullable Redirection redirection) {
        super(error, null, false, false);
        this.redirection = redirection;
    }

    /**
     * {@return the exception for this error, or null if it is none of these: then the command may have had an effect}
     */
    public static @Nullable NotExecutedException of(String error) {
        Redirection redirection = Redirection.parse(error);
        return redirection != null || ERROR.matcher(error).find() ? new NotExecutedException(error, redirection) : null;
    }

    /** {@return whether the server is a replica} */
    public boolean isOfReplica() {
        Matcher found = ERROR.matcher(error());
        return found.find() && OF_REPLICA.contains(found.group(1));
    }

    /** {@return the node that is to execute it; null if the error names none} */
    public @Nullable Redirection redirection() {
        return redirection;
    }

    /** {@return the error message of Redis} */
    public String error() {
        return String.valueOf(getMessage());
    }
}
