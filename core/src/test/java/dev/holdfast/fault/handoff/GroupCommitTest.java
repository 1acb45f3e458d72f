package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * While a handoff is unanswered, further ones need no command of their own; any other command about the lock finds them
 * in Redis.
 */
@Tag("fault")
class GroupCommitTest {
    private static final String NAME = "orders:42";
    private static final int HANDOFFS = 5;
    private static final int WARM_UPS = 5;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final List<CompletableFuture<?>> releases = new ArrayList<>();
    private Holdfast client;
    private HandoffScene scene;
    private ProxiedConnection connection;
    private long sent;

    /**
     * The lock was handed off several times, without an answer so far. Only the first handoff was sent, if any round
     * trip on this connection took less than a millisecond.
     */
    @BeforeEach
    void handOff() {
        client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        for (int i = 0; i < WARM_UPS; i++) {
            HandoffScene.warm(faulty, client, "warm " + i, 1).finish();
        }
        scene = HandoffScene.warm(faulty, client, NAME, HANDOFFS + 1);
        connection = faulty.commandConnection();
        connection.blackHole(Direction.REPLIES);
        sent = evals();
        for (int i = 0; i < HANDOFFS; i++) {
            releases.add(scene.handOff());
        }
        eventually(() -> evals() > sent);
        assertThat(releases).noneMatch(CompletableFuture::isDone);
    }

    /** The answer to the first causes one command for all others, whose answer confirms all their releases. */
    @Test
    void answered_oneCommandForTheRest() {
        connection.heal();

        releases.forEach(FaultyRedis::get);
        assertThat(evals()).isBetween(sent + 2, sent + HANDOFFS);
        assertThat(scene.inRedis()).isEqualTo(scene.owner().toString());
        scene.finish();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** An extension by the present owner, which Redis was not told of, is sent behind a command that tells it. */
    @Test
    void extension_findsTheOwner() {
        CompletableFuture<?> extended = FaultyRedis.elsewhere(() -> {
            scene.owner().extend(LONG);
            return true;
        });

        eventually(() -> scene.inRedis().equals(scene.owner().toString()));
        connection.heal();
        get(extended);
        releases.forEach(FaultyRedis::get);
        scene.finish();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** A query of the same client is answered with the present owner. */
    @Test
    void inspect_showsTheOwner() {
        CompletableFuture<Boolean> held = client.getLock(NAME).isLockedAsync();

        eventually(() -> scene.inRedis().equals(scene.owner().toString()));

        connection.heal();
        assertThat(get(held)).isTrue();
        releases.forEach(FaultyRedis::get);
        scene.finish();
    }

    /** What is forced open is the present owner's hold, which is lost; the releases before it succeed. */
    @Test
    void forceUnlock_opensThePresentHold() {
        CompletableFuture<Boolean> opened = client.getLock(NAME).forceUnlockAsync();

        connection.heal();

        assertThat(get(opened)).isTrue();
        releases.forEach(FaultyRedis::get);
        get(scene.next(), SOON).close();
        assertThatThrownBy(scene.owner()::close).isInstanceOf(LeaseLostException.class);
    }

    /**
     * If the key is gone, no owner since then had the lock: each release that Redis had not been told of reports it, and
     * the next owner acquires the lock.
     */
    @Test
    void deletedMeanwhile_everyOwnerIsTold() {
        faulty.server().command("DEL", NAME);

        connection.heal();

        releases.forEach(release -> eventually(release::isDone));
        CompletableFuture<?> last = releases.get(HANDOFFS - 1);
        assumeTrue(last.isCompletedExceptionally(), "round trips were so slow that Redis knew every handoff before");
        assertThatThrownBy(() -> get(last)).hasStackTraceContaining(LeaseLostException.class.getName());
        assertThat(get(scene.owner().lost().toCompletableFuture(), SOON).reason())
                .isEqualTo(LossReason.GONE);
        get(scene.next(), SOON).close();
    }

    private long evals() {
        return faulty.proxy().commands("EVALSHA");
    }
}
