package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.OwnedLock;
import dev.holdfast.internal.session.RedisErrors;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several clients wait for one lock: each release grants it to the first in line, whatever happens to the others. */
@Tag("fault")
final class GrantTest {
    private static final String NAME = "orders:42";

    /** The lease of a grant: the command timeout of the client behind the proxy. */
    private static final Duration CLAIM = Duration.ofMillis(600);

    private static final Pattern EVALUATIONS = Pattern.compile("cmdstat_evalsha:calls=(\\d+),");

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final DistributedLock holders = faulty.bystander().getLock(NAME);

    private Holdfast cautious() {
        return faulty.client(builder -> builder.commandTimeout(CLAIM));
    }

    private CompletableFuture<Lease> waitInLine(DistributedLock lock, int place) {
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        awaitInLine(place);
        return waiting;
    }

    private void awaitInLine(int clients) {
        eventually(() -> holders.inspect().clientsInLine() == clients);
    }

    /** Clients get the lock in the order in which they began to wait. */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void clients_areServedInOrder(LockKinds kind) {
        Lease held = holders.acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int place = 1; place <= 4; place++) {
            waiting.add(waitInLine(kind.lock(faulty.bystander(), NAME), place));
        }

        held.close();
        for (int first = 0; first < waiting.size(); first++) {
            Lease lease = get(waiting.get(first));
            assertThat(waiting.subList(first + 1, waiting.size())).noneMatch(CompletableFuture::isDone);
            lease.close();
        }
        assertThat(faulty.keys()).isEmpty();
    }

    /** The tokens of a fenced lock grow in the order of the grants. */
    @Test
    void tokens_growInOrder() {
        FencedLock first = faulty.bystander().getFencedLock(NAME);
        Lease held = first.acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int place = 1; place <= 3; place++) {
            waiting.add(waitInLine(faulty.bystander().getFencedLock(NAME), place));
        }
        List<Long> tokens = new ArrayList<>(List.of(held.token()));

        held.close();
        for (CompletableFuture<Lease> next : waiting) {
            Lease lease = get(next);
            tokens.add(lease.token());
            lease.close();
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    /** Owners of one client alone begin no line: they contend as if there were no others. */
    @Test
    void oneClient_joinsNoLine() {
        Holdfast client = faulty.client();
        Lease held = client.getLock(NAME).acquire();
        List<CompletableFuture<Lease>> waiting = Stream.generate(
                        () -> client.getLock(NAME).acquireAsync())
                .limit(3)
                .toList();
        faulty.awaitWaiting(client, 3);

        assertThat(client.getLock(NAME).inspect().clientsInLine()).isZero();
        held.close();
        waiting.stream()
                .map(next -> next.thenCompose(Lease::releaseAsync))
                .toList()
                .forEach(FaultyRedis::get);
        assertThat(faulty.proxy().commands("SUBSCRIBE")).isEqualTo(1);
    }

    /**
     * Two scripts for each acquisition, however many clients contend, but for the first ones; every release would wake
     * all of them.
     */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void crowd_costsTwoScriptsEach(LockKinds kind) {
        int clients = 12;
        int turns = 20;
        Guarded guarded = new Guarded();
        List<DistributedLock> locks = Stream.generate(() -> kind.lock(faulty.bystander(), NAME))
                .limit(clients)
                .toList();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (DistributedLock lock : locks) {
            ends.add(FaultyRedis.elsewhere(() -> {
                for (int i = 0; i < turns; i++) {
                    lock.lock();
                    try {
                        guarded.enter();
                    } finally {
                        lock.unlock();
                    }
                }
                return true;
            }));
        }

        ends.forEach(FaultyRedis::get);

        guarded.assertEntered(clients * turns);
        assertThat(evaluations()).isLessThan(5L * clients * turns / 2);
    }

    /** A message that is lost on the way holds up the lock for one claim. */
    @Test
    void message_isLost() {
        Lease held = holders.acquire();
        CompletableFuture<Lease> waiting = waitInLine(cautious().getLock(NAME), 1);
        faulty.subscriberConnection().blackHole(Direction.REPLIES);

        held.close();

        get(waiting, SOON).close();
    }

    /** A message that comes late grants nothing that may have run out: the client asks. */
    @Test
    void message_isLate() {
        Lease held = holders.acquire();
        CompletableFuture<Lease> waiting = waitInLine(cautious().getLock(NAME), 1);
        faulty.subscriberConnection().delay(Direction.REPLIES, CLAIM.multipliedBy(2));

        held.close();

        Lease lease = get(waiting, SOON);
        assertThat(lease.isValid()).isTrue();
        assertThat(holders.inspect().holdCount()).isOne();
        lease.close();
    }

    /** A client that is cut off, without the server knowing, holds up the lock for one claim. */
    @Test
    void grantee_isCutOff() {
        Lease held = holders.acquire();
        CompletableFuture<Lease> cutOff = waitInLine(cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = waitInLine(faulty.bystander().getLock(NAME), 2);
        faulty.proxy().blackHole();

        held.close();

        get(next, SOON.multipliedBy(2)).close();
        cutOff.cancel(false);
    }

    /** A client whose connections have ended is passed over at once. */
    @Test
    void grantee_isGone() {
        Lease held = holders.acquire();
        CompletableFuture<Lease> gone = waitInLine(cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = waitInLine(faulty.bystander().getLock(NAME), 2);
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> faulty.server().clients().size() < 6);

        held.close();

        get(next, SOON).close();
        gone.cancel(false);
    }

    /** A client that loses its subscriptions for a moment takes its turn nevertheless. */
    @Test
    void subscription_isRenewed() {
        Lease held = holders.acquire();
        CompletableFuture<Lease> waiting = waitInLine(cautious().getLock(NAME), 1);
        faulty.subscriberConnection().cutRst();
        eventually(() -> faulty.server().channels().size() == 3);

        held.close();

        get(waiting, SOON).close();
    }

    /** A caller that gives up while it is in line leaves it, and is not granted the lock. */
    @Test
    void leaver_givesUpItsPlace() {
        Lease held = holders.acquire();
        CompletableFuture<Lease> leaver = waitInLine(cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = waitInLine(faulty.bystander().getLock(NAME), 2);

        leaver.cancel(false);
        awaitInLine(1);
        held.close();

        get(next).close();
    }

    /** The next waiter of a client takes over the place of one that gives up. */
    @Test
    void leaver_leavesItsPlaceToItsClient() {
        Lease held = holders.acquire();
        Holdfast client = cautious();
        CompletableFuture<Lease> leaver = waitInLine(client.getLock(NAME), 1);
        CompletableFuture<Lease> heir = client.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(client, 2);
        CompletableFuture<Lease> next = waitInLine(faulty.bystander().getLock(NAME), 2);

        long before = evaluations();
        leaver.cancel(false);
        eventually(() -> evaluations() >= before + 2);
        awaitInLine(2);
        held.close();

        Lease first = get(heir);
        assertThat(next).isNotDone();
        first.close();
        get(next).close();
    }

    /** A caller gives up after it was granted the lock, and before it has learnt of that: the lock goes on. */
    @Test
    void leaver_crossesTheGrant() {
        Lease held = holders.acquire();
        CompletableFuture<Lease> leaver = waitInLine(cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = waitInLine(faulty.bystander().getLock(NAME), 2);
        faulty.subscriberConnection().delay(Direction.REPLIES, CLAIM.dividedBy(4));

        held.close();
        leaver.cancel(false);

        get(next, SOON).close();
        eventually(() -> faulty.keys().isEmpty());
    }

    /**
     * A grant for a tenure that nobody waits for, such as that of an attempt which the server has read from a connection
     * long gone: the client releases it, and does not keep the lock for nobody.
     */
    @Test
    void grant_forNobody() {
        faulty.server().command("HSET", NAME, "another-program:1", "1");
        faulty.server().command("PEXPIRE", NAME, "60000");
        CompletableFuture<Lease> waiting = waitInLine(cautious().getLock(NAME), 1);
        String channel = faulty.server().channels().stream()
                .filter(name -> name.matches(".*:\\p{XDigit}+-.*"))
                .findFirst()
                .orElseThrow();
        String nobody = channel.substring(channel.lastIndexOf(':') + 1) + ":99";

        faulty.server().command("HSET", NAME, nobody, "1", nobody + ":tenure", "7");
        faulty.server().command("HDEL", NAME, "another-program:1");
        faulty.server().command("PUBLISH", channel, nobody + " 7 1");

        get(waiting, SOON).close();
    }

    /**
     * What another program publishes on the channel of a client's grants releases nothing that the client holds.
     *
     * @param tenure that the message names; 0 for the one that is held
     */
    @ParameterizedTest
    @ValueSource(longs = {0, 999_999_999_999_999_999L})
    void grant_forged(long tenure) {
        Holdfast client = faulty.client();
        Lease before = holders.acquire();
        CompletableFuture<Lease> waiting = waitInLine(client.getLock(NAME), 1);
        String channel = faulty.server().channels().stream()
                .filter(name -> name.endsWith(":" + client.clientId()))
                .findFirst()
                .orElseThrow();
        before.close();
        Lease held = get(waiting);
        String owner = String.valueOf(faulty.server().command("HKEYS", NAME))
                .replaceFirst("(?s).*?(%s:-?\\d+)[,\\]].*".formatted(client.clientId()), "$1");
        Object named = tenure == 0 ? faulty.server().command("HGET", NAME, owner + ":tenure") : tenure;

        faulty.server().command("PUBLISH", channel, owner + " " + named + " 1");

        awaitNextMessage(client);
        assertThat(holders.inspect().holdCount()).isOne();
        held.close();
    }

    /** Waits until the client has processed all messages until now, and has sent what these require. */
    private void awaitNextMessage(Holdfast client) {
        Lease other = faulty.bystander().getLock("another").acquire();
        CompletableFuture<Lease> waiting = client.getLock("another").acquireAsync();
        eventually(() -> faulty.bystander().getLock("another").inspect().clientsInLine() == 1);
        other.close();
        get(waiting).close();
    }

    /** The line is lost with the data of the server: all clients are served nevertheless. */
    @Test
    void line_isLost() {
        holders.acquireAsync(Duration.ofSeconds(1)).join();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int place = 1; place <= 4; place++) {
            waiting.add(waitInLine(cautious().getLock(NAME), place));
        }

        faulty.server().command("FLUSHALL");

        waiting.stream()
                .map(next -> next.thenCompose(Lease::releaseAsync))
                .toList()
                .forEach(end -> get(end, SOON));
    }

    /** A client that lacks a right of the line waits for releases as any subscriber does, and says so once. */
    @ParameterizedTest
    @ValueSource(strings = {"-time", "-pubsub", "&redisson_lock__channel:{orders:42}"})
    void right_isMissing(String right) {
        List<String> rights = new ArrayList<>(List.of("~*", "+@all"));
        rights.add(right.startsWith("&") ? right : "&*");
        if (!right.startsWith("&")) {
            rights.add(right);
        }
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            Holdfast client = faulty.client(builder -> builder.redisUri(faulty.user(rights.toArray(String[]::new))));
            for (int twice = 0; twice < 2; twice++) {
                Lease held = holders.acquire();
                CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
                faulty.awaitWaiting(client, 1);
                CompletableFuture<Lease> others = waitInLine(faulty.bystander().getLock(NAME), 1);
                held.close();
                CompletableFuture.allOf(
                                waiting.thenCompose(Lease::releaseAsync), others.thenCompose(Lease::releaseAsync))
                        .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            }
            warnings = captured.of(RedisErrors.class);
        }
        assertThat(warnings).singleElement().asString().contains(NAME, "join no line of clients");
    }

    /** Nor does it count as one that joins the line: the lock is left free for it. */
    @Test
    void right_isMissing_noPlace() {
        Holdfast client = faulty.client(builder -> builder.redisUri(faulty.user("~*", "+@all", "&*", "-time")));
        Lease held = holders.acquire();
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(client, 1);

        eventually(() -> faulty.proxy().commands("UNSUBSCRIBE") > 0);
        eventually(() -> faulty.server().channels().size() == 1);

        held.close();
        get(waiting).close();
    }

    /**
     * A client whose owners had the lock among themselves joins the line when another client has got it, although its
     * channels are confirmed from a time before.
     */
    @Test
    void lingeringChannels_joinAgain() {
        Holdfast client = faulty.client();
        DistributedLock lock = client.getLock(NAME);
        Lease before = holders.acquire();
        CompletableFuture<Lease> first = waitInLine(lock, 1);
        before.close();
        get(first).close();
        eventually(() -> faulty.keys().isEmpty() && Inside.residue(client).matches("\\{channels=3}"));

        Lease held = lock.acquire();
        CompletableFuture<Lease> second = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);
        CompletableFuture<Lease> other = waitInLine(faulty.bystander().getLock(NAME), 1);
        held.close();
        CompletableFuture<?> released = get(second).releaseAsync();
        CompletableFuture<Lease> third = lock.acquireAsync();

        get(released);
        Lease others = get(other);
        awaitInLine(1);
        others.close();
        get(third).close();
    }

    /** An owner that has left the line may use the lock as the kind that it used before. */
    @Test
    void leaver_keepsItsKind() {
        Holdfast client = faulty.client();
        Lease held = holders.acquire();
        CompletableFuture<Lease> plain = waitInLine(client.getLock(NAME), 1);
        OwnedLock fenced = client.getFencedLock(NAME).ownedBy(client.newOwnerId());
        CompletableFuture<?> waiting = fenced.lockAsync();
        faulty.awaitWaiting(client, 2);
        long before = evaluations();
        plain.cancel(false);
        eventually(() -> evaluations() >= before + 2);
        awaitInLine(1);

        waiting.cancel(false);
        CompletableFuture<Boolean> again = fenced.tryLockAsync();

        assertThat(get(again)).isFalse();
        held.close();
    }

    /** An explicit lease is granted as it was requested, whether it is shorter or longer than a claim. */
    @ParameterizedTest
    @ValueSource(ints = {400, 20_000})
    void explicitLease_isKept(int millis) {
        Duration lease = Duration.ofMillis(millis);
        Lease held = holders.acquire();
        CompletableFuture<Lease> waiting = cautious().getLock(NAME).acquireAsync(lease);
        awaitInLine(1);

        held.close();

        Lease granted = get(waiting);
        assertThat(granted.remaining()).isLessThanOrEqualTo(lease).isGreaterThan(lease.dividedBy(4));
        granted.close();
    }

    /** A hold that a grant began is renewed like any other. */
    @Test
    void grantedHold_isRenewed() throws InterruptedException {
        Lease held = holders.acquire();
        CompletableFuture<Lease> waiting = waitInLine(cautious().getLock(NAME), 1);
        held.close();
        Lease granted = get(waiting);

        eventually(() -> granted.remaining().compareTo(CLAIM) > 0);

        granted.close();
    }

    private long evaluations() {
        Matcher calls = EVALUATIONS.matcher(String.valueOf(faulty.server().command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
