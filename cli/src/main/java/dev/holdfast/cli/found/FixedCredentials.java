package dev.holdfast.cli.found;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;

/** The credentials of an address, which do not change. */
public final class FixedCredentials {
    private FixedCredentials() {}

    /**
     * Has the driver take the credentials of an address, and of its sentinels, as they are. It asks its own provider of them on another
     * thread, and can then give out a connection before it is usable, which rejects the first commands.
     */
    public static void in(RedisURI uri) {
        RedisCredentials credentials =
                uri.getCredentialsProvider().resolveCredentials().toFuture().join();
        uri.setCredentialsProvider(new StaticCredentialsProvider(credentials));
        uri.getSentinels().forEach(FixedCredentials::in);
    }
}
