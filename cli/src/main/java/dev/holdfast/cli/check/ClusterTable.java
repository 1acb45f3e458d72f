package dev.holdfast.cli.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The nodes of a cluster, by the addresses that it announces to clients. */
record ClusterTable(List<Member> members) {
    /** How many slots a cluster has. */
    static final int SLOTS = 16_384;

    private static final Pattern SPACE = Pattern.compile(" ");

    ClusterTable {
        members = List.copyOf(members);
    }

    /**
     * A node.
     *
     * @param slots how many it has
     */
    record Member(String id, String host, int port, boolean isMaster, boolean isFailed, int slots) {
        String address() {
            return host + ":" + port;
        }
    }

    /** {@return how many slots have a master that has not failed} */
    int served() {
        return members.stream()
                .filter(member -> !member.isFailed())
                .mapToInt(Member::slots)
                .sum();
    }

    /**
     * {@return the table in the reply to CLUSTER SLOTS} It does not have nodes that failed, nor new replicas.
     *
     * @param seed the host that was asked, by which a node means itself if it announces none
     */
    static ClusterTable ofSlots(List<?> reply, String seed) {
        Map<String, Member> members = new LinkedHashMap<>();
        for (Object each : reply) {
            List<?> range = (List<?>) each;
            int size = number(range.get(1)) - number(range.get(0)) + 1;
            for (int i = 2; i < range.size(); i++) {
                List<?> node = (List<?>) range.get(i);
                boolean isMaster = i == 2;
                String host = node.get(0) == null || "".equals(node.get(0)) ? seed : String.valueOf(node.get(0));
                String id = String.valueOf(node.get(2));
                Member known = members.get(id);
                members.put(
                        id,
                        new Member(
                                id,
                                host,
                                number(node.get(1)),
                                isMaster,
                                false,
                                (isMaster ? size : 0) + (known == null ? 0 : known.slots())));
            }
        }
        return new ClusterTable(new ArrayList<>(members.values()));
    }

    private static int number(Object reply) {
        return ((Long) reply).intValue();
    }

    /**
     * {@return the table in the reply to CLUSTER NODES} Nodes that this table has keep their addresses, which are those for
     * clients.
     *
     * @param seed the host that was asked, by which a node means itself if it knows no address of its own yet
     */
    ClusterTable with(String nodes, String seed) {
        List<Member> all = new ArrayList<>();
        for (String line : nodes.lines().toList()) {
            List<String> words = SPACE.splitAsStream(line).toList();
            if (words.size() >= 8
                    && !words.get(2).contains("noaddr")
                    && !words.get(2).contains("handshake")) {
                Member listed = member(words, seed);
                all.add(members.stream()
                        .filter(known -> known.id().equals(listed.id()))
                        .findFirst()
                        .map(known -> new Member(
                                known.id(),
                                known.host(),
                                known.port(),
                                listed.isMaster(),
                                listed.isFailed(),
                                listed.slots()))
                        .orElse(listed));
            }
        }
        return new ClusterTable(all);
    }

    /** Its words are the id, {@code ip:port@bus,hostname}, the flags, five others, and ranges of slots. */
    private static Member member(List<String> words, String seed) {
        String address = words.get(1).replaceFirst("[@,].*", "");
        int colon = address.lastIndexOf(':');
        List<String> flags = List.of(words.get(2).split(",", -1));
        return new Member(
                words.get(0),
                colon == 0 ? seed : address.substring(0, colon),
                Integer.parseInt(address.substring(colon + 1)),
                flags.contains("master"),
                flags.contains("fail") || flags.contains("fail?"),
                words.subList(8, words.size()).stream()
                        .mapToInt(ClusterTable::size)
                        .sum());
    }

    /** One that is being moved is in brackets, and is listed without them as well. */
    private static int size(String range) {
        if (range.startsWith("[")) {
            return 0;
        }
        int dash = range.indexOf('-');
        return dash < 0
                ? 1
                : Integer.parseInt(range.substring(dash + 1)) - Integer.parseInt(range.substring(0, dash)) + 1;
    }
}
