package dev.holdfast.cli.check;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the servers of a deployment, and asks each. */
final class Survey {
    private final Links links;
    private final NodeQuestions questions;
    private final List<RedisURI> uris;
    private final int database;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Unreached> unreached = new ArrayList<>();

    private Survey(Links links, List<RedisURI> uris, NodeQuestions.Request request) {
        this.links = links;
        this.questions = new NodeQuestions(links, request);
        this.database = uris.get(0).getDatabase();
        this.uris = uris;
    }

    /** @throws RedisConnectionException if no server of the address answers */
    static Deployment of(List<RedisURI> uris, NodeQuestions.Request request) {
        try (Links links = new Links()) {
            Survey survey = new Survey(links, uris, request);
            return uris.get(0).getSentinels().isEmpty() ? survey.servers() : survey.sentinels(uris.get(0));
        }
    }

    private Deployment deployment(Shape shape, List<SentinelView> sentinels, Answer<ClusterTable> cluster) {
        try (Names names = new Names()) {
            return new Deployment(shape, nodes, unreached, sentinels, cluster, names.of(uris), database, uris.size());
        }
    }

    private void ask(RedisURI uri, Unreached.Part part, boolean isCluster) {
        onLink(uri, part, link -> nodes.add(questions.ask(link, uri, isCluster)));
    }

    private void onLink(RedisURI uri, Unreached.Part part, Consumer<Link> questioner) {
        Answer<Link> connected = links.connect(uri);
        if (connected instanceof Answer.Known<Link> known) {
            try (Link link = known.value()) {
                questioner.accept(link);
            }
        } else {
            unreached.add(new Unreached(Addresses.of(uri), part, connected.reason()));
        }
    }

    private Deployment servers() {
        Map<RedisURI, String> silent = new LinkedHashMap<>();
        uris.forEach(uri -> uri.setDatabase(0)); // until it is known that there are others
        for (RedisURI uri : uris) {
            Answer<Link> connected = links.connect(uri);
            if (connected instanceof Answer.Known<Link> known) {
                try (Link link = known.value()) {
                    return servers(link, uri);
                }
            }
            silent.put(uri, connected.reason());
        }
        throw new RedisConnectionException("cannot connect to Redis at "
                + silent.entrySet().stream()
                        .map(entry -> Addresses.of(entry.getKey()) + ": " + entry.getValue())
                        .collect(Collectors.joining("; ")));
    }

    private Deployment servers(Link link, RedisURI uri) {
        Answer<List<Object>> slots = link.ask("CLUSTER", "SLOTS");
        String enabled = link.info().orElse(Map.of()).getOrDefault("cluster_enabled", slots.isKnown() ? "1" : "0");
        if (enabled.equals("1")) {
            return cluster(link, uri, slots);
        }
        Answer<List<Object>> selected = link.ask("SELECT", Integer.toString(database));
        if (database != 0 && !selected.isKnown()) {
            throw new RedisConnectionException("database " + database + " cannot be used: " + selected.reason());
        }
        nodes.add(questions.ask(link, uri, false));
        return deployment(Shape.ONE_SERVER, List.of(), Answer.unknown("it is no cluster"));
    }

    private Deployment cluster(Link link, RedisURI uri, Answer<List<Object>> slots) {
        Answer<String> listed = link.text("CLUSTER", "NODES");
        Answer<ClusterTable> table = slots.map(reply -> ClusterTable.ofSlots(reply, uri.getHost()))
                .or(() -> listed.map(text -> new ClusterTable(List.of())))
                .map(known -> listed.fold(text -> known.with(text, uri.getHost()), reason -> known));
        if (!table.isKnown()) {
            nodes.add(questions.ask(link, uri, true));
        }
        List<ClusterTable.Member> members = table.map(ClusterTable::members).orElse(List.of());
        for (ClusterTable.Member member : members) {
            ask(
                    Addresses.beside(uri, member.host(), member.port()),
                    member.isMaster() ? Unreached.Part.MASTER : Unreached.Part.REPLICA,
                    true);
        }
        uris.stream()
                .filter(seed ->
                        members.stream().noneMatch(member -> member.address().equals(Addresses.of(seed))))
                .forEach(seed -> onLink(seed, Unreached.Part.SEED, other -> {})); // it may answer by another name
        return deployment(Shape.CLUSTER, List.of(), table);
    }

    private Deployment sentinels(RedisURI uri) {
        List<SentinelView> views = new ArrayList<>();
        Set<String> replicas = new LinkedHashSet<>();
        for (RedisURI sentinel : uri.getSentinels()) {
            onLink(sentinel, Unreached.Part.SENTINEL, link -> {
                views.add(view(link, sentinel, uri.getSentinelMasterId()));
                replicas.addAll(replicas(link, uri.getSentinelMasterId()));
            });
        }
        if (views.isEmpty()) {
            throw new RedisConnectionException("no sentinel answers: "
                    + unreached.stream()
                            .map(down -> down.address() + ": " + down.reason())
                            .collect(Collectors.joining("; ")));
        }
        master(views).ifPresent(master -> {
            ask(at(uri, master), Unreached.Part.MASTER, false);
            nodes.forEach(node ->
                    node.info().map(Replica::in).orElse(List.of()).forEach(replica -> replicas.add(replica.address())));
            replicas.remove(master); // a former one, as a sentinel that is late names it
            replicas.forEach(replica -> ask(at(uri, replica), Unreached.Part.REPLICA, false));
        });
        return deployment(Shape.SENTINEL, views, Answer.unknown("it is no cluster"));
    }

    private SentinelView view(Link link, RedisURI sentinel, String name) {
        Answer<String> master = link.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name)
                .then(reply -> reply.size() < 2
                        ? Answer.unknown("it knows no master '" + name + "'")
                        : Answer.of(reply.get(0) + ":" + reply.get(1)));
        return new SentinelView(
                Addresses.of(sentinel),
                master,
                link.fields("SENTINEL", "MASTER", name),
                links.subscribe(sentinel, "+switch-master", false).begun().map(begun -> true));
    }

    /** {@return those that the sentinel names, also if they do not answer} */
    private static Set<String> replicas(Link link, String name) {
        Set<String> replicas = new LinkedHashSet<>();
        for (Object each : link.ask("SENTINEL", "REPLICAS", name).orElse(List.of())) {
            if (each instanceof List<?> fields && !fields.isEmpty()) {
                Map<String, String> replica = Link.fields(fields);
                replicas.add(replica.get("ip") + ":" + replica.get("port"));
            }
        }
        return replicas;
    }

    /** {@return the address that most sentinels name} */
    private static Optional<String> master(List<SentinelView> views) {
        return views.stream()
                .map(view -> view.master().orElse(""))
                .filter(address -> !address.isEmpty())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    private static RedisURI at(RedisURI uri, String address) {
        int colon = address.lastIndexOf(':');
        return Addresses.beside(uri, address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
