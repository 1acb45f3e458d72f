package dev.holdfast.interleavings.orders;

import dev.holdfast.pubsub.AnsweringWire;
import java.util.ArrayList;
import java.util.List;

/** The channels of a server, to which several clients are connected. */
final class ModelChannels {
    /** All are added before any command. */
    private final List<AnsweringWire> clients = new ArrayList<>();

    void add(AnsweringWire client) {
        clients.add(client);
    }

    /** {@return how many clients have subscribed to it} */
    int subscribers(String channel) {
        return (int)
                clients.stream().filter(client -> client.hasSubscribed(channel)).count();
    }

    /** {@return how many clients will receive the message} */
    int publish(String channel, String message) {
        clients.forEach(client -> client.publish(channel, message));
        return subscribers(channel);
    }
}
