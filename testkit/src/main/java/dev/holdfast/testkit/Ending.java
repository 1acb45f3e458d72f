package dev.holdfast.testkit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/** How the proxy ends a connection, as the peer sees it. */
enum Ending {
    /** An end of stream. */
    FIN {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the handler is notified of the close
        void end(Channel channel) {
            channel.close();
        }
    },
    /** A reset. */
    RST {
        @Override
        void end(Channel channel) {
            if (channel.isOpen()) {
                channel.flush();
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                FIN.end(channel);
            }
        }
    };

    abstract void end(Channel channel);
}
