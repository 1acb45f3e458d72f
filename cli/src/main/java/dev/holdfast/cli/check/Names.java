package dev.holdfast.cli.check;

import io.lettuce.core.RedisURI;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks up the names of an address as the driver does: by Netty's resolver, which asks name servers, and not by that of the JDK. */
final class Names implements AutoCloseable {
    private final EventLoopGroup thread = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final DnsServerAddressStreamProvider servers;

    Names() {
        this(DnsServerAddressStreamProviders.platformDefault());
    }

    /** @param servers the name servers to ask */
    Names(DnsServerAddressStreamProvider servers) {
        this.servers = servers;
    }

    /** {@return what the hosts of these addresses lead to} */
    List<Lookup> of(List<RedisURI> uris) {
        return uris.stream()
                .flatMap(uri -> uri.getSentinels().isEmpty() ? Stream.of(uri) : uri.getSentinels().stream())
                .filter(uri -> uri.getSocket() == null)
                .map(RedisURI::getHost)
                .distinct()
                .map(this::of)
                .toList();
    }

    Lookup of(String host) {
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            return new Lookup(host, List.of(), OptionalLong.empty());
        }
        Lifetimes lifetimes = new Lifetimes();
        try (DnsNameResolver resolver = new DnsNameResolverBuilder(thread.next())
                .datagramChannelType(NioDatagramChannel.class)
                .nameServerProvider(servers)
                .resolveCache(lifetimes)
                .queryTimeoutMillis(Link.TIMEOUT.toMillis())
                .build()) {
            List<InetAddress> addresses =
                    resolver.resolveAll(host).get(2 * Link.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return new Lookup(
                    host,
                    addresses.stream()
                            .map(InetAddress::getHostAddress)
                            .distinct()
                            .toList(),
                    lifetimes.seconds.stream().mapToLong(Long::longValue).max());
        } catch (ExecutionException | TimeoutException e) {
            return new Lookup(host, List.of("nothing"), OptionalLong.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Lookup(host, List.of("nothing"), OptionalLong.empty());
        }
    }

    @Override
    public void close() {
        thread.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Caches nothing, but notes for how long each address may be. */
    private static final class Lifetimes implements DnsCache {
        private final Queue<Long> seconds = new ConcurrentLinkedQueue<>();

        @Override
        public DnsCacheEntry cache(
                String host, DnsRecord @Nullable [] more, InetAddress address, long lifetime, EventLoop loop) {
            seconds.add(lifetime);
            return new Entry(address);
        }

        @Override
        public DnsCacheEntry cache(String host, DnsRecord @Nullable [] more, Throwable cause, EventLoop loop) {
            return new Entry(null);
        }

        @Override
        public @Nullable List<? extends DnsCacheEntry> get(String host, DnsRecord @Nullable [] more) {
            return null;
        }

        @Override
        public void clear() {
            seconds.clear();
        }

        @Override
        public boolean clear(String host) {
            return false;
        }

        /** What Netty wants to be returned, and does not use. */
        private record Entry(@Nullable InetAddress address) implements DnsCacheEntry {
            @Override
            public @Nullable Throwable cause() {
                return null;
            }
        }
    }
}
