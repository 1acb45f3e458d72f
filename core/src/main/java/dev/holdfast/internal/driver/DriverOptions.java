package dev.holdfast.internal.driver;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.EpollProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the driver, for every supported version of it. The driver never sends a command again by itself:
 * a command in flight fails when its connection ends. The driver's own command timeouts are off, since the client has
 * its own. It retries a reconnect without limit. It keeps no index of the commands in flight, since they complete in
 * order. It does not request maintenance notifications, on which it would move a connection to another server by
 * itself.
 */
public final class DriverOptions {
    /** When an idle connection is probed, and how often it is until there is an answer. */
    private static final Duration PROBE = Duration.ofSeconds(13);

    /** After so many probes without an answer the connection is dead. */
    private static final int PROBES = 3;

    private DriverOptions() {}

    /**
     * {@return the options of both connections of a client}
     *
     * @param connectTimeout of the first connection; attempts to reconnect are bounded by {@link ReconnectLimit} as
     * well
     * @param ssl null for the JDK's trust store
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

    /**
     * TCP_USER_TIMEOUT also applies while a connection is set up, so it must not be shorter than the connect timeout.
     */
    private static SocketOptions socket(Duration commandTimeout, Duration connectTimeout) {
        SocketOptions.Builder socket = SocketOptions.builder().connectTimeout(connectTimeout);
        if (!SocketOptions.create().isKeepAlive()) {
            socket.keepAlive(keepAlive());
        }
        if (EpollProvider.isAvailable()) {
            Duration longer = commandTimeout.compareTo(connectTimeout) > 0 ? commandTimeout : connectTimeout;
            socket.tcpUserTimeout(SocketOptions.TcpUserTimeoutOptions.builder()
                    .enable(true)
                    .tcpUserTimeout(longer)
                    .build());
        }
        return socket.build();
    }

    /**
     * Has an idle connection probed, so that network devices do not forget it, as version 7 of the driver does by default. To
     * switch keepalive on without these times would leave them to the kernel, which waits for two hours.
     */
    private static SocketOptions.KeepAliveOptions keepAlive() {
        return SocketOptions.KeepAliveOptions.builder()
                .enable(true)
                .idle(PROBE)
                .interval(PROBE)
                .count(PROBES)
                .build();
    }

    /** From version 7 on the driver requests them unless they are disabled; version 6 does not have them. */
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
