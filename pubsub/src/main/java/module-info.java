/**
 * Subscriptions for {@code dev.holdfast}, and for no one else.
 */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"}) // that module is compiled later
module dev.holdfast.pubsub {
    requires transitive io.netty.common;
    requires transitive lettuce.core;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.holdfast.pubsub to
            dev.holdfast;
}
