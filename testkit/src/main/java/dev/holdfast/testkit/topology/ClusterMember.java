package dev.holdfast.testkit.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of a node's CLUSTER NODES: a member as that node sees it.
 *
 * @param id the member's id
 * @param host the address that it announces
 * @param port the port that it announces
 * @param flags such as {@code myself}, {@code master}, {@code slave}, {@code fail?}, {@code fail}, {@code handshake}
 * @param master the id of its master, null for a master
 * @param configEpoch the version of its claim to its slots; the highest one prevails
 * @param connected whether the observing node is connected to it
 * @param slots the slots that it owns
 * @param migrating the slots that it is handing over, each with the new owner's id; only the member itself knows them
 * @param importing the slots that it is taking over, each with the present owner's id; only the member itself knows
 *     them
 */
public record ClusterMember(
        String id,
        String host,
        int port,
        Set<String> flags,
        @Nullable String master,
        long configEpoch,
        boolean connected,
        List<SlotRange> slots,
        Map<Integer, String> migrating,
        Map<Integer, String> importing) {
    private static final int FIXED_FIELDS = 8;

    static ClusterMember parse(String line) {
        String[] fields = line.split(" ", -1);
        String address = fields[1].substring(0, fields[1].indexOf('@'));
        int colon = address.lastIndexOf(':');
        List<SlotRange> slots = new ArrayList<>();
        Map<Integer, String> migrating = new HashMap<>();
        Map<Integer, String> importing = new HashMap<>();
        for (int i = FIXED_FIELDS; i < fields.length; i++) {
            String field = fields[i];
            if (field.contains("->-")) {
                putMove(migrating, field, "->-");
            } else if (field.contains("-<-")) {
                putMove(importing, field, "-<-");
            } else {
                slots.add(SlotRange.parse(field));
            }
        }
        return new ClusterMember(
                fields[0],
                address.substring(0, colon),
                Integer.parseInt(address.substring(colon + 1)),
                Set.of(fields[2].split(",", -1)),
                fields[3].equals("-") ? null : fields[3],
                Long.parseLong(fields[6]),
                fields[7].equals("connected"),
                List.copyOf(slots),
                Map.copyOf(migrating),
                Map.copyOf(importing));
    }

    /** Reads {@code [slot->-id]}, or the same with another arrow. */
    private static void putMove(Map<Integer, String> moves, String field, String arrow) {
        int at = field.indexOf(arrow);
        moves.put(Integer.valueOf(field.substring(1, at)), field.substring(at + arrow.length(), field.length() - 1));
    }

    /** {@return whether it owns the slot} */
    public boolean owns(int slot) {
        return slots.stream().anyMatch(range -> range.contains(slot));
    }

    /** {@return whether it is a master} */
    public boolean isMaster() {
        return flags.contains("master");
    }

    /** {@return whether a majority of the masters has found it unreachable} */
    public boolean isFailed() {
        return flags.contains("fail");
    }

    /** {@return whether its id and role are not known yet} */
    boolean isJoining() {
        return flags.contains("handshake") || flags.contains("noaddr");
    }
}
