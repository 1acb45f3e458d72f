package dev.holdfast.fault.line;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.OwnedLock;
import dev.holdfast.RealTime;
import dev.holdfast.internal.node.RedisErrors;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several clients wait for one lock, and messages of grants are lost, late or forged, clients disappear or lack a right:
 * the others are granted the lock all the same.
 */
@Tag("fault")
final class GrantFaultTest {
    private static final String NAME = LineScene.NAME;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final LineScene line = new LineScene(faulty);

    /** A message that is lost on the way holds up the lock for one claim. */
    @Test
    void message_isLost() {
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> waiting = line.join(line.cautious().getLock(NAME), 1);
        faulty.subscriberConnection().blackHole(Direction.REPLIES);

        held.close();

        get(waiting, SOON).close();
    }

    /** A message that comes late grants nothing that may have run out: the client asks. */
    @Test
    void message_isLate() {
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> waiting = line.join(line.cautious().getLock(NAME), 1);
        faulty.subscriberConnection().delay(Direction.REPLIES, LineScene.CLAIM.multipliedBy(2));

        held.close();

        Lease lease = get(waiting, SOON);
        assertThat(lease.isValid()).isTrue();
        assertThat(line.holders().inspect().holdCount()).isOne();
        lease.close();
    }

    /** A client that is cut off, without the server knowing, holds up the lock for one claim. */
    @Test
    void grantee_isCutOff() {
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> cutOff = line.join(line.cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = line.join(faulty.bystander().getLock(NAME), 2);
        faulty.proxy().blackHole();

        held.close();

        get(next, SOON.multipliedBy(2)).close();
        cutOff.cancel(false);
    }

    /**
     * The same, however many clients were before the next one when it joined the line: it watches over the lease of the one
     * that is cut off.
     */
    @RealTime
    void grantee_isCutOff_isWatched() {
        Lease held = line.holders().acquire();
        List<CompletableFuture<Lease>> served = new ArrayList<>();
        for (int place = 1; place <= 3; place++) {
            served.add(line.join(line.brisk().getLock(NAME), place));
        }
        CompletableFuture<Lease> cutOff = line.join(line.cautious().getLock(NAME), 4);
        CompletableFuture<Lease> next = line.join(line.brisk().getLock(NAME), 5);
        faulty.proxy().blackHole();
        held.close();
        get(served.get(0)).close();
        get(served.get(1)).close();

        get(served.get(2)).close();
        long granted = System.nanoTime();
        get(next, SOON).close();

        assertThat(FaultyRedis.since(granted)).isLessThan(LineScene.CLAIM.multipliedBy(3));
        cutOff.cancel(false);
    }

    /** A client whose connections have ended is passed over at once. */
    @Test
    void grantee_isGone() {
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> gone = line.join(line.cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = line.join(faulty.bystander().getLock(NAME), 2);
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
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> waiting = line.join(line.cautious().getLock(NAME), 1);
        faulty.subscriberConnection().cutRst();
        eventually(() -> faulty.server().channels().size() == 3);

        held.close();

        get(waiting, SOON).close();
    }

    /** A caller gives up after it was granted the lock, and before it has learnt of that: the lock goes on. */
    @Test
    void leaver_crossesTheGrant() {
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> leaver = line.join(line.cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = line.join(faulty.bystander().getLock(NAME), 2);
        faulty.subscriberConnection().delay(Direction.REPLIES, LineScene.CLAIM.dividedBy(4));

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
        CompletableFuture<Lease> waiting = line.join(line.cautious().getLock(NAME), 1);
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
     * A grant that arrives after its caller has given up is declined as the kind of lock that its owner uses, although
     * another kind of that name was used first: the owner may use it meanwhile.
     *
     * @param answered whether the caller gives up after the reply that gives it its place, or before
     */
    @ParameterizedTest
    @CsvSource({"PLAIN, true", "PLAIN, false", "FENCED, true", "FENCED, false"})
    void declined_keepsItsKind(LockKinds kind, boolean answered) {
        Holdfast client = faulty.client();
        long ownerId = client.newOwnerId();
        OwnedLock owned = kind.lock(client, NAME).ownedBy(ownerId);
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> first = line.join(kind.other().lock(client, NAME), 1);
        CompletableFuture<?> leaver = owned.lockAsync();
        CompletableFuture<Lease> last = kind.other().lock(client, NAME).acquireAsync();
        faulty.awaitWaiting(client, 3);
        if (!answered) {
            faulty.commandConnection().blackHole(Direction.REPLIES);
        }
        first.cancel(false);
        eventually(() -> String.valueOf(faulty.server().command("HVALS", NAME)).contains(":" + ownerId + " ")
                && answered != Inside.residue(client).contains("calls in flight"));
        faulty.subscriberConnection().blackHole(Direction.REPLIES);
        held.close();
        leaver.cancel(false);
        faulty.commandConnection().heal(Direction.REPLIES);
        Lease next = get(last);

        faulty.commandConnection().holdRequests();
        long sent = faulty.proxy().commands("EVALSHA");
        faulty.subscriberConnection().heal(Direction.REPLIES);
        eventually(() -> faulty.proxy().commands("EVALSHA") == sent + 1);
        CompletableFuture<Boolean> again = owned.tryLockAsync();
        faulty.commandConnection().releaseRequests();

        assertThat(get(again)).isFalse();
        next.close();
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
        Lease before = line.holders().acquire();
        CompletableFuture<Lease> waiting = line.join(client.getLock(NAME), 1);
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
        assertThat(line.holders().inspect().holdCount()).isOne();
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
        line.holders().acquireAsync(Duration.ofSeconds(1)).join();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int place = 1; place <= 4; place++) {
            waiting.add(line.join(line.cautious().getLock(NAME), place));
        }

        faulty.server().command("FLUSHALL");

        waiting.stream()
                .map(next -> next.thenCompose(Lease::releaseAsync))
                .toList()
                .forEach(end -> get(end, SOON));
    }

    /**
     * The line is lost with the lock's key, which expires, and another client that was active forms a new one: who was in
     * line before joins it at once, although no release notifies it and its next attempt is far away.
     */
    @Test
    void line_isFormedAnew() {
        Holdfast patient = faulty.client(builder -> builder.commandTimeout(Duration.ofSeconds(30)));
        lockedByAnotherProgram("first:1");
        CompletableFuture<Lease> before = line.join(patient.getLock(NAME), 1);
        lockedByAnotherProgram("second:1");

        CompletableFuture<Lease> active = faulty.bystander().getLock(NAME).acquireAsync();

        line.awaitInLine(2);
        faulty.server().command("DEL", NAME);
        faulty.server().command("PUBLISH", "redisson_lock__channel:{" + NAME + "}", "0");
        CompletableFuture.allOf(active.thenCompose(Lease::releaseAsync), before.thenCompose(Lease::releaseAsync))
                .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Another program has the lock now, without a line, and publishes nothing. */
    private void lockedByAnotherProgram(String owner) {
        String script = "redis.call('DEL', KEYS[1]) redis.call('HSET', KEYS[1], ARGV[1], 1) "
                + "return redis.call('PEXPIRE', KEYS[1], 60000)";
        faulty.server().command("EVAL", script, "1", NAME, owner);
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
                Lease held = line.holders().acquire();
                CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
                faulty.awaitWaiting(client, 1);
                CompletableFuture<Lease> others = line.join(faulty.bystander().getLock(NAME), 1);
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
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(client, 1);

        eventually(() -> faulty.proxy().commands("UNSUBSCRIBE") > 0);
        eventually(() -> faulty.server().channels().size() == 1);

        held.close();
        get(waiting).close();
    }
}
