package dev.holdfast.topology;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The network between some clients and their servers: a proxy in front of each server, whatever the server announces.
 * Other clients do not pass these proxies, nor do the servers among each other.
 */
final class ClientNetwork implements AutoCloseable {
    private final Map<RedisServer, FaultProxy> proxies = new HashMap<>();
    private final ClientResources resources;

    /** @param servers by the ports that clients are told */
    ClientNetwork(Map<Integer, RedisServer> servers) {
        Map<Integer, SocketAddress> addresses = new HashMap<>();
        servers.forEach((told, server) -> {
            FaultProxy proxy = FaultProxy.inFrontOf(server);
            proxies.put(server, proxy);
            addresses.put(told, new InetSocketAddress(server.host(), proxy.port()));
        });
        resources = ClientResources.builder()
                .socketAddressResolver(new SocketAddressResolver() {
                    @Override
                    public SocketAddress resolve(RedisURI server) {
                        return Objects.requireNonNull(addresses.get(server.getPort()));
                    }
                })
                .build();
    }

    /** {@return a client whose connections pass the proxies} */
    Holdfast connect(HoldfastBuilder settings) {
        return settings.clientResources(resources).build();
    }

    /** From now on, nothing passes between the clients and these servers. */
    void cutOffFrom(Predicate<RedisServer> which) {
        proxies.forEach((server, proxy) -> {
            if (which.test(server)) {
                proxy.blackHole();
            }
        });
    }

    @Override
    public void close() {
        resources.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        proxies.values().forEach(FaultProxy::close);
    }
}
