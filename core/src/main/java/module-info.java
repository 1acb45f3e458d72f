/**
 * Distributed locks on Redis and Valkey. Users see the one package {@code dev.holdfast}.
 */
@SuppressWarnings({
    "requires-automatic", // the driver has no module descriptor
    "requires-transitive-automatic",
    "module" // the test kit is compiled later
})
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

    // The driver uses these, and as it has no descriptor, it cannot require them itself.
    requires io.netty.handler;
    requires io.netty.resolver.dns;

    exports dev.holdfast;
    exports dev.holdfast.internal.session to
            dev.holdfast.testkit.junit; // its clock
}
