package dev.holdfast.redis;

import java.io.Serial;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Redis answered a command with an error that says that it did not execute it, for a reason that passes: the command had no
 * effect, and may be sent again. Which errors these are is decided here and nowhere else.
 *
 * <table>
 *   <caption>The errors</caption>
 *   <tr><td>{@code BUSY}</td><td>another client's script runs for longer than the server allows</td></tr>
 *   <tr><td>{@code LOADING}</td><td>the server loads its data</td></tr>
 *   <tr><td>{@code MASTERDOWN}</td><td>a replica has lost its master, and is not to serve old data</td></tr>
 *   <tr><td>{@code READONLY}</td><td>the server is a replica: a master that was deposed, or one that is not promoted yet</td></tr>
 *   <tr><td>{@code NOREPLICAS}</td><td>the master has too few replicas to accept writes</td></tr>
 *   <tr><td>{@code CLUSTERDOWN}, {@code TRYAGAIN}</td><td>a cluster is being repaired, or a slot moved</td></tr>
 * </table>
 *
 * <p>All of them but two refuse a script before it is started. {@code READONLY} and {@code NOREPLICAS} refuse the first command
 * of a script that writes, so a script may have read, but has written nothing: what they depend on does not change while a
 * script runs. Redis 7 passes the error on as it is, Redis 6.2 puts the place in the script before it.
 */
public final class NotExecutedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private static final Pattern ERROR = Pattern.compile("(?:^|@user_script: \\d+: -)"
            + "(?:BUSY|LOADING|MASTERDOWN|READONLY|NOREPLICAS|CLUSTERDOWN|TRYAGAIN)(?: |$)");

    private NotExecutedException(String error) {
        super(error, null, false, false);
    }

    /** {@return what this error of Redis means, or null if it is none of these: then the command may have had an effect} */
    public static @Nullable NotExecutedException of(String error) {
        return ERROR.matcher(error).find() ? new NotExecutedException(error) : null;
    }

    /** {@return the error as Redis worded it} */
    public String error() {
        return String.valueOf(getMessage());
    }
}
