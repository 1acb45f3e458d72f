package dev.holdfast.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.EpollProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the driver is set up, on every version of it that is supported, so that it never decides by itself to send a command
 * again: in flight when a connection dies, it fails. Its own timeouts are off, since ours decide. It reconnects for as long as
 * it takes. It need not find a command among those in flight by anything but their order, so it keeps no index of them. It
 * asks for no notifications of maintenance, on which it would move a connection to another server by itself.
 */
public final class DriverOptions {
    private DriverOptions() {}

    /**
     * {@return the options of both connections of a client}
     *
     * @param connectTimeout of the first connection; attempts to reconnect are bounded by {@link ReconnectLimit} as well
     * @param ssl null for what the JDK trusts
     */
    public static ClientOptions of(Duration commandTimeout, Duration connectTimeout, @Nullable SslOptions ssl) {
        ClientOptions.Builder options = ClientOptions.builder()
                .autoReconnect(true)
                .useHashIndexQueue(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(socket(commandTimeout, connectTimeout))
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
        if (ssl != null) {
            options.sslOptions(ssl);
        }
        withoutMaintenanceNotifications(options);
        return options.build();
    }

    /** The operating system's own limit holds for the set-up of a connection as well, so it must not be the shorter one. */
    private static SocketOptions socket(Duration commandTimeout, Duration connectTimeout) {
        SocketOptions.Builder socket =
                SocketOptions.builder().connectTimeout(connectTimeout).keepAlive(true);
        if (EpollProvider.isAvailable()) {
            Duration longer = commandTimeout.compareTo(connectTimeout) > 0 ? commandTimeout : connectTimeout;
            socket.tcpUserTimeout(SocketOptions.TcpUserTimeoutOptions.builder()
                    .enable(true)
                    .tcpUserTimeout(longer)
                    .build());
        }
        return socket.build();
    }

    /** From version 7 on the driver asks for them unless it is told not to; version 6 does not know them. */
    private static void withoutMaintenanceNotifications(ClientOptions.Builder options) {
        Class<?> config;
        try {
            config = Class.forName("io.lettuce.core.MaintNotificationsConfig");
        } catch (ClassNotFoundException version6) {
            return;
        }
        try {
            Object disabled = config.getMethod("disabled").invoke(null);
            ClientOptions.Builder.class
                    .getMethod("maintNotificationsConfig", config)
                    .invoke(options, disabled);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("maintenance notifications of the driver cannot be switched off", e);
        }
    }
}
