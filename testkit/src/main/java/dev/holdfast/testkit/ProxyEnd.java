package dev.holdfast.testkit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/** Handles the events at one end of a proxied connection and passes its bytes and its end to the connection. */
final class ProxyEnd extends ChannelInboundHandlerAdapter {
    private final ProxiedConnection connection;
    private final Direction direction;

    ProxyEnd(ProxiedConnection connection, Direction direction) {
        this.connection = connection;
        this.direction = direction;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        try {
            connection.received(direction, ByteBufUtil.getBytes(buffer));
        } finally {
            buffer.release();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            connection.finished(direction);
        }
    }

    /** The only exceptions here are the network's: the peer has reset the connection. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Ending.FIN.end(context.channel());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connection.lost(direction);
    }
}
