package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisBinary;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A real cluster for a test: 3 masters with a replica each, unless configured otherwise. Its servers are processes of
 * the test's own, like those of {@link dev.holdfast.testkit.RedisServer}, and end with the JVM.
 *
 * <p>Nodes are killed, restarted, paused and resumed by {@link ClusterNode#server()}, and the cluster reacts by itself;
 * the {@code await} methods wait for its reaction. They consult the nodes that are neither down nor paused, and throw
 * {@link org.awaitility.core.ConditionTimeoutException} after a minute. A node that is killed and restarted has
 * no data of its own, unless the cluster was configured to be persistent, but is still the same member.
 *
 * <p>Not safe for use by several threads, except for queries.
 *
 * <pre>{@code
 * try (RedisCluster cluster = RedisCluster.start()) {
 *     ClusterNode old = cluster.masterOf("key");
 *     ClusterNode replica = cluster.replicasOf(old).get(0);
 *     old.server().kill();
 *     cluster.awaitMaster(replica);
 * }
 * }</pre>
 */
public final class RedisCluster implements AutoCloseable {
    private final RedisClusterBuilder configuration;
    private final List<ClusterNode> nodes = new CopyOnWriteArrayList<>();
    private final ClusterViews views = new ClusterViews(nodes);

    RedisCluster(RedisClusterBuilder configuration) {
        this.configuration = configuration;
    }

    /** A cluster of 3 masters and 3 replicas. */
    public static RedisCluster start() {
        return builder().start();
    }

    /** A builder for another cluster. */
    public static RedisClusterBuilder builder() {
        return new RedisClusterBuilder();
    }

    void form(int masters, int replicasPerMaster) {
        List<ClusterNode> first =
                IntStream.range(0, masters).mapToObj(i -> newNode()).toList();
        ClusterForming.divideSlots(first);
        int replicas = masters * replicasPerMaster;
        List<ClusterNode> second =
                IntStream.range(0, replicas).mapToObj(i -> newNode()).toList();
        ClusterForming.acquaint(nodes);
        for (int i = 0; i < replicas; i++) {
            ClusterForming.follow(second.get(i), first.get(i % masters));
        }
        awaitOk();
        second.forEach(this::awaitInSync);
    }

    private ClusterNode newNode() {
        return newNode(null);
    }

    private ClusterNode newNode(@Nullable RedisBinary binary) {
        ClusterNode node = configuration.newNode(binary);
        nodes.add(node);
        return node;
    }

    Optional<String> password() {
        return Optional.ofNullable(configuration.password());
    }

    // What there is

    /** {@return all nodes, in the order in which they were added, running or not} */
    public List<ClusterNode> nodes() {
        return List.copyOf(nodes);
    }

    /** {@return the addresses of all nodes, as they announce them} */
    public List<String> uris() {
        return nodes.stream().map(ClusterNode::uri).toList();
    }

    /** {@return the node with this id} */
    public ClusterNode node(String id) {
        return nodes.stream()
                .filter(node -> node.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no node has the id " + id));
    }

    /** {@return the nodes that own slots} */
    public List<ClusterNode> masters() {
        return nodes.stream()
                .filter(node -> views.latest(node)
                        .filter(member -> !member.slots().isEmpty())
                        .isPresent())
                .toList();
    }

    /** {@return a master other than this one} */
    public ClusterNode masterBeside(ClusterNode master) {
        return masters().stream().filter(node -> node != master).findFirst().orElseThrow();
    }

    /** {@return the replicas of a node, running or not} */
    public List<ClusterNode> replicasOf(ClusterNode master) {
        return nodes.stream()
                .filter(node -> views.latest(node)
                        .filter(member -> master.id().equals(member.master()))
                        .isPresent())
                .toList();
    }

    /** {@return the master of a replica, by the latest view of the replica's role that any node has} */
    public ClusterNode masterOf(ClusterNode replica) {
        return views.latest(replica)
                .map(ClusterMember::master)
                .map(this::node)
                .orElseThrow(() -> new NoSuchElementException(replica + " has no master"));
    }

    /** {@return the owner of a key's slot, running or not} */
    public ClusterNode masterOf(String key) {
        return masterOf(Slots.of(key));
    }

    /** {@return the owner of a slot, running or not: the one with the highest config epoch that any node knows} */
    public ClusterNode masterOf(int slot) {
        Slots.checked(slot);
        return views.owner(slot)
                .map(owner -> node(owner.id()))
                .orElseThrow(() -> new NoSuchElementException("slot " + slot + " has no owner"));
    }

    /**
     * {@return a key that belongs to this master}
     *
     * @throws IllegalArgumentException if it owns no slot
     */
    public String keyAt(ClusterNode master) {
        return views.latest(master).stream()
                .flatMap(member -> member.slots().stream())
                .map(range -> Slots.keyIn(range.first()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(master + " must own a slot"));
    }

    // What a test changes

    /**
     * Makes a replica the master of its shard. When this returns, all nodes that reply know it.
     *
     * <p>The other masters vote for a replica of one master once in two node timeouts, and a refused request is not
     * repeated: a failover soon after another one of the same shard succeeds for sure only by {@link
     * Failover#TAKEOVER}.
     */
    public void failover(ClusterNode replica, Failover kind) {
        replica.requestFailover(kind);
        awaitMaster(replica);
    }

    /** Moves a slot with its keys. When this returns, all nodes that reply know it. */
    public void migrate(int slot, ClusterNode target) {
        beginMigration(slot, target).finish();
    }

    /** Begins to move a slot, and moves no key yet. */
    public SlotMigration beginMigration(int slot, ClusterNode target) {
        return SlotMigration.begin(this, slot, target);
    }

    /** Adds a master without slots. When this returns, all nodes that reply are connected to it. */
    public ClusterNode addMaster() {
        return addMaster(null);
    }

    private ClusterNode addMaster(@Nullable RedisBinary binary) {
        ClusterNode added = newNode(binary);
        ClusterForming.acquaint(views.answering());
        return added;
    }

    /** Adds a replica. When this returns, it is in sync, and all nodes that reply know it. */
    public ClusterNode addReplica(ClusterNode master) {
        return addReplica(master, null);
    }

    /**
     * Adds a replica of another executable than that of the cluster, such as a newer version. When this returns, it is in
     * sync, and all nodes that reply know it.
     *
     * @param binary null for that of the cluster
     */
    public ClusterNode addReplica(ClusterNode master, @Nullable RedisBinary binary) {
        ClusterNode added = addMaster(binary);
        ClusterForming.follow(added, master);
        awaitReplicaOf(added, master);
        awaitInSync(added);
        return added;
    }

    /**
     * Ends a node and has all nodes that reply forget it. They do not let it in again for a minute.
     *
     * @throws IllegalStateException if the node owns slots or has replicas
     */
    public void remove(ClusterNode node) {
        if (masters().contains(node) || !replicasOf(node).isEmpty()) {
            throw new IllegalStateException(node + " must have neither slots nor replicas to be removed");
        }
        node.close();
        nodes.remove(node);
        views.answering().forEach(other -> other.server().command("CLUSTER", "FORGET", node.id()));
    }

    /**
     * Announces another port of the loopback address, as a node does that has moved, for instance that of a {@link
     * FaultProxy}. When this returns, all other nodes that reply know it; before Redis 7.0 the node itself names its
     * former port until it is restarted. Replicas of this node connect there as well.
     */
    public void announce(ClusterNode node, int port) {
        node.announce(port);
        awaitEach(
                node + " is known at port " + port,
                view -> view.self().id().equals(node.id())
                        || view.member(node.id())
                                .filter(member -> member.port() == port)
                                .isPresent());
    }

    // What a test waits for

    /** Waits until all slots are served and all nodes that reply agree about the master of each slot and of each replica. */
    public void awaitOk() {
        views.awaitAgreement();
    }

    /** Waits until all nodes that reply see this node as a master with slots. */
    public void awaitMaster(ClusterNode node) {
        awaitEach(node + " is master", view -> view.member(node.id())
                .filter(member -> member.isMaster() && !member.slots().isEmpty())
                .isPresent());
    }

    /** Waits until all nodes that reply see the first node as a replica of the second. */
    public void awaitReplicaOf(ClusterNode replica, ClusterNode master) {
        awaitEach(replica + " is a replica of " + master, view -> view.member(replica.id())
                .filter(member -> master.id().equals(member.master()))
                .isPresent());
    }

    /**
     * Waits until all nodes that reply see this node as the owner of the slot, by its newest claim: a node that is to get the
     * slot back before it has seen that claim would make an older one, which the others reject.
     */
    public void awaitOwner(int slot, ClusterNode owner) {
        awaitEach(owner + " owns slot " + slot, view -> view.owner(slot)
                .filter(member -> member.id().equals(owner.id()) && member.configEpoch() == newestEpoch(owner))
                .isPresent());
    }

    private long newestEpoch(ClusterNode node) {
        return views.latest(node).map(ClusterMember::configEpoch).orElse(0L);
    }

    /** Waits until all nodes that reply, except for the node itself, see it as failed, by agreement of the masters. */
    public void awaitFailed(ClusterNode node) {
        awaitEach(
                node + " has failed",
                view -> view.self().id().equals(node.id())
                        || view.member(node.id())
                                .filter(ClusterMember::isFailed)
                                .isPresent());
    }

    /** Waits until all nodes that reply see the cluster in this way. */
    public void awaitEach(String state, Predicate<ClusterView> condition) {
        views.await(state, condition);
    }

    /** Waits until a replica has all that its master has written. */
    public void awaitInSync(ClusterNode replica) {
        Waiting.until(replica + " is in sync", () -> replica.lacking(masterOf(replica)));
    }

    /** Ends all nodes and removes their files. A second call does nothing. */
    @Override
    public void close() {
        nodes.forEach(ClusterNode::close);
        nodes.clear();
    }

    @Override
    public String toString() {
        return nodes.isEmpty()
                ? "RedisCluster[closed]"
                : "RedisCluster[" + nodes.get(0).server().version() + ", " + nodes.size() + " nodes]";
    }
}
