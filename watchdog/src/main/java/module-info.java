/**
 * Keeps leases for {@code dev.holdfast}, and for no one else.
 */
@SuppressWarnings("module") // that module is compiled later
module dev.holdfast.watchdog {
    requires transitive io.netty.common;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.holdfast.watchdog to
            dev.holdfast;
}
