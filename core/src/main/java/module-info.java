/**
 * Distributed locks on Redis and Valkey. Users see the one package {@code dev.holdfast}.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // the driver has no module descriptor
module dev.holdfast {
    requires dev.holdfast.pubsub;
    requires dev.holdfast.watchdog;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires static jdk.jfr; // some Java runtimes are built without it
    requires transitive lettuce.core;
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires reactor.core;

    // The driver uses these, and as it has no descriptor, it cannot require them itself.
    requires io.netty.handler;
    requires io.netty.resolver.dns;

    exports dev.holdfast;
}
