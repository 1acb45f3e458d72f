package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A slot on its way from one master to another, step by step. While it is open, the source redirects commands for keys
 * that it does not have with ASK, the target serves these after ASKING, and a command with several keys of which only
 * some have moved gets TRYAGAIN: at the target, and from Redis 7.0 at the source as well.
 *
 * <pre>{@code
 * SlotMigration migration = cluster.beginMigration(slot, target);
 * migration.moveKey("{tag}:first");
 * // ... the slot is divided between source and target ...
 * migration.finish();
 * }</pre>
 */
public final class SlotMigration {
    private static final String BATCH = "100";
    private static final String TIMEOUT_MILLIS = "5000";

    private final RedisCluster cluster;
    private final int slot;
    private final ClusterNode source;
    private final ClusterNode target;
    private boolean open = true;

    private SlotMigration(RedisCluster cluster, int slot, ClusterNode source, ClusterNode target) {
        this.cluster = cluster;
        this.slot = slot;
        this.source = source;
        this.target = target;
    }

    static SlotMigration begin(RedisCluster cluster, int slot, ClusterNode target) {
        ClusterNode source = cluster.masterOf(slot);
        if (source == target) {
            throw new IllegalArgumentException(
                    "slot " + slot + " must move to another node, but " + target + " has it");
        }
        SlotMigration migration = new SlotMigration(cluster, slot, source, target);
        migration.setSlot(target, "IMPORTING", source.id());
        migration.setSlot(source, "MIGRATING", target.id());
        return migration;
    }

    /** {@return the slot that moves} */
    public int slot() {
        return slot;
    }

    /** {@return the master that owns the slot until the migration is finished} */
    public ClusterNode source() {
        return source;
    }

    /** {@return the master that owns the slot afterwards} */
    public ClusterNode target() {
        return target;
    }

    /**
     * Moves one key, with what is left of its expiry.
     *
     * @throws IllegalArgumentException if the key is in another slot
     * @throws IllegalStateException if the source does not have the key
     */
    public void moveKey(String key) {
        checkOpen();
        if (Slots.of(key) != slot) {
            throw new IllegalArgumentException(
                    "the key must be in slot " + slot + ", but " + key + " is in " + Slots.of(key));
        }
        if (!"OK".equals(move(source, target, List.of(key)))) {
            throw new IllegalStateException(source + " does not have the key " + key);
        }
    }

    /** Moves all keys that the source has; the migration stays open. */
    public void moveKeys() {
        checkOpen();
        moveAll(source, target);
    }

    /**
     * Moves the keys that are left and makes the target the owner. When this returns, all nodes that reply know it. A
     * source without any other slot becomes a replica of the target, as it does in every cluster.
     */
    public void finish() {
        moveKeys();
        setSlot(target, "NODE", target.id());
        open = false;
        releaseAtSource();
        cluster.awaitOwner(slot, target);
    }

    /** The target's claim may reach the source first; a source that has become a replica by it refuses the command. */
    private void releaseAtSource() {
        try {
            setSlot(source, "NODE", target.id());
        } catch (RedisReplyException refused) {
            if (!source.isReplica()) {
                throw refused;
            }
        }
    }

    /** Moves the keys back; the source remains the owner. */
    public void abort() {
        checkOpen();
        setSlot(source, "STABLE");
        moveAll(target, source);
        setSlot(target, "STABLE");
        open = false;
    }

    private void moveAll(ClusterNode from, ClusterNode to) {
        for (List<String> keys = keysAt(from); !keys.isEmpty(); keys = keysAt(from)) {
            move(from, to, keys);
        }
    }

    private List<String> keysAt(ClusterNode node) {
        Object reply = node.server().command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), BATCH);
        return ((List<?>) Objects.requireNonNull(reply))
                .stream().map(String::valueOf).toList();
    }

    private String move(ClusterNode from, ClusterNode to, List<String> keys) {
        List<String> command = new ArrayList<>(List.of(
                "MIGRATE", to.server().host(), Integer.toString(to.server().port()), "", "0", TIMEOUT_MILLIS));
        cluster.password().ifPresent(password -> command.addAll(List.of("AUTH", password)));
        command.add("KEYS");
        command.addAll(keys);
        return String.valueOf(from.server().command(command.toArray(String[]::new)));
    }

    private void setSlot(ClusterNode node, String... state) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "SETSLOT", Integer.toString(slot)));
        command.addAll(List.of(state));
        node.server().command(command.toArray(String[]::new));
    }

    private void checkOpen() {
        if (!open) {
            throw new IllegalStateException("the migration of slot " + slot + " is over");
        }
    }
}
