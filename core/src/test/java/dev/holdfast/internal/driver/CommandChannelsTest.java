package dev.holdfast.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
final class CommandChannelsTest {
    private final CommandChannels channels = new CommandChannels();

    private EmbeddedChannel begun() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channels.afterChannelInitialized(channel);
        return channel;
    }

    /** A connection that is being made while the client closes is not left open, nor is one that is begun then. */
    @Test
    void close_endsAll() {
        EmbeddedChannel before = begun();
        channels.close();
        assertThat(before.isOpen()).isFalse();
        assertThat(begun().isOpen()).isFalse();
    }
}
