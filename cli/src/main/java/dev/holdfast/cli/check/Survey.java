package dev.holdfast.cli.check;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        links.connect(uri)
                .fold(
                        link -> {
                            try (link) {
                                return nodes.add(questions.ask(link, uri, isCluster));
                            }
                        },
                        reason -> unreached.add(new Unreached(Addresses.of(uri), part, reason)));
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
                .forEach(this::findSilent);
        return deployment(Shape.CLUSTER, List.of(), table);
    }

    /** One that the cluster calls by another name answers. */
    private void findSilent(RedisURI seed) {
        Answer<Link> connected = links.connect(seed);
        if (connected instanceof Answer.Known<Link> known) {
            known.value().close();
        } else {
            unreached.add(new Unreached(Addresses.of(seed), Unreached.Part.SEED, connected.reason()));
        }
    }

    private Deployment sentinels(RedisURI uri) {
        List<SentinelView> views = new ArrayList<>();
        Map<String, Boolean> replicas = new LinkedHashMap<>();
        for (RedisURI sentinel : uri.getSentinels()) {
            links.connect(sentinel)
                    .fold(
                            link -> {
                                try (link) {
                                    replicas.putAll(replicas(link, uri.getSentinelMasterId()));
                                    return views.add(view(link, sentinel, uri.getSentinelMasterId()));
                                }
                            },
                            reason -> unreached.add(
                                    new Unreached(Addresses.of(sentinel), Unreached.Part.SENTINEL, reason)));
        }
        if (views.isEmpty()) {
            throw new RedisConnectionException("no sentinel answers: "
                    + unreached.stream()
                            .map(down -> down.address() + ": " + down.reason())
                            .collect(Collectors.joining("; ")));
        }
        master(views)
                .fold(
                        master -> {
                            ask(at(uri, master), Unreached.Part.MASTER, false);
                            nodes.forEach(node -> node.info()
                                    .map(Replica::in)
                                    .orElse(List.of())
                                    .forEach(replica -> replicas.put(replica.address(), true)));
                            replicas.keySet().stream()
                                    .filter(replica -> !replica.equals(master))
                                    .forEach(replica -> ask(at(uri, replica), Unreached.Part.REPLICA, false));
                            return true;
                        },
                        reason -> false);
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

    private static Map<String, Boolean> replicas(Link link, String name) {
        Map<String, Boolean> replicas = new LinkedHashMap<>();
        for (Object each : link.ask("SENTINEL", "REPLICAS", name).orElse(List.of())) {
            if (each instanceof List<?> fields && !fields.isEmpty()) {
                Map<String, String> replica = Link.fields(fields);
                replicas.put(replica.get("ip") + ":" + replica.get("port"), true);
            }
        }
        return replicas;
    }

    /** {@return the address that most sentinels name} */
    private static Answer<String> master(List<SentinelView> views) {
        return views.stream()
                .map(view -> view.master().orElse(""))
                .filter(address -> !address.isEmpty())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(entry -> Answer.of(entry.getKey()))
                .orElse(Answer.unknown("no sentinel knows the master"));
    }

    private static RedisURI at(RedisURI uri, String address) {
        int colon = address.lastIndexOf(':');
        return Addresses.beside(uri, address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
