package dev.holdfast.testkit;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The connections that matched at the time of the call, as one. A rule for a reply is shared: it applies once, on one
 * of them.
 */
final class MatchingConnections extends Faults {
    private final List<ProxiedConnection> connections;

    MatchingConnections(List<ProxiedConnection> connections) {
        this.connections = List.copyOf(connections);
    }

    @Override
    void change(Direction direction, UnaryOperator<Passage> change) {
        connections.forEach(connection -> connection.change(direction, change));
    }

    @Override
    void cut(Ending ending) {
        connections.forEach(connection -> connection.cut(ending));
    }

    @Override
    void add(ReplyRule rule) {
        connections.forEach(connection -> connection.add(rule));
    }

    @Override
    void loseMessagesOf(Predicate<String> channels) {
        connections.forEach(connection -> connection.loseMessagesOf(channels));
    }

    @Override
    void forgetRules() {
        connections.forEach(ProxiedConnection::forgetRules);
    }
}
