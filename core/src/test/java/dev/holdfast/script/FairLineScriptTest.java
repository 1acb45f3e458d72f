package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Announcements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A line in which some owners have places of their own, since they wait for a fair lock, and some clients one for all their
 * owners: how {@code acquire.lua} gives the places, and {@code release.lua} grants the lock to them.
 */
@Tag("script")
final class FairLineScriptTest {
    /** Another owner of the client of {@code OTHER}. */
    private static final String OTHER_TOO = "b02c:18";

    private static final Duration CLAIM = Duration.ofSeconds(3);

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String channel = CHANNEL + " of " + lock;

    @AutoClose
    private final Announcements toOwners = Announcements.on(scripts.server(), channelOf(OWNER));

    @AutoClose
    private final Announcements toOthers = Announcements.on(scripts.server(), channelOf(OTHER));

    private String channelOf(String owner) {
        return channel + ":" + owner.substring(0, owner.indexOf(':'));
    }

    private long enlist(boolean fair, String owner, long tenure) {
        List<Object> arguments =
                new ArrayList<>(List.of(owner, tenure, 1, LEASE.toMillis(), "", CLAIM.toMillis(), channel, "NUMSUB"));
        if (fair) {
            arguments.add(1);
        }
        Object answer = scripts.run("acquire.lua", List.of(lock), arguments.toArray());
        return (Long) Objects.requireNonNull(((List<?>) answer).get(1));
    }

    private Object release(String owner, long tenure) {
        return scripts.run("release.lua", List.of(lock), owner, tenure, 0, channel, "PUBLISH");
    }

    private String holder() {
        return scripts.hash(lock).keySet().stream()
                .filter(field -> field.endsWith(":tenure"))
                .findFirst()
                .orElse("nobody");
    }

    /** Two owners of one client have places of their own, each of which it keeps when it asks again. */
    @Test
    void places_ofOwners() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        assertThat(enlist(true, OTHER, 2)).isZero();
        assertThat(enlist(true, OTHER_TOO, 3)).isOne();
        assertThat(enlist(true, OTHER, 4)).isZero();
        assertThat(scripts.hash(lock))
                .containsEntry("line:1", OTHER + " 4 3000 0 ")
                .containsEntry("line:2", OTHER_TOO + " 3 3000 0 ")
                .containsEntry(OTHER + ":line", "1")
                .containsEntry(OTHER_TOO + ":line", "2")
                .doesNotContainKey("b02c:line");
    }

    /** An owner that releases the lock leaves the others of its client in line. */
    @Test
    void release_leavesTheOthersInLine() {
        scripts.acquire(lock, OTHER, 1, 1, LEASE);
        enlist(true, OWNER, 2);
        enlist(true, OTHER_TOO, 3);
        assertThat(release(OTHER, 5)).isEqualTo(List.of(0L, 1L, -1L));
        assertThat(holder()).isEqualTo(OWNER + ":tenure");
        assertThat(scripts.hash(lock)).containsEntry(OTHER_TOO + ":line", "2").doesNotContainKey(OWNER + ":line");
    }

    /** Each release grants the lock to both sorts of places, and leaves nothing of them behind. */
    @Test
    void release_grantsToBoth() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(false, OTHER, 2);
        enlist(true, OTHER_TOO, 3);
        release(OWNER, 1);
        assertThat(holder()).isEqualTo(OTHER + ":tenure");
        release(OTHER, 2);
        assertThat(scripts.hash(lock))
                .containsOnlyKeys(OTHER_TOO, OTHER_TOO + ":tenure", "line")
                .containsEntry(OTHER_TOO + ":tenure", "3");
    }

    /** The place that a client had before its owners had their own is given up by a release, as it was before. */
    @Test
    void release_endsThePlaceOfTheClient() {
        scripts.acquire(lock, OTHER, 1, 1, LEASE);
        enlist(true, OWNER, 2);
        enlist(false, OTHER_TOO, 3);
        enlist(true, OTHER_TOO, 4);
        release(OTHER, 5);
        assertThat(holder()).isEqualTo(OWNER + ":tenure");
        assertThat(scripts.hash(lock))
                .containsEntry("line:3", OTHER_TOO + " 4 3000 0 ")
                .doesNotContainKeys("line:2", "b02c:line");
    }

    /** Not the client that was granted the lock watches over the grant, although another owner of it is the next in line. */
    @Test
    void watch_isByAnotherClient() {
        scripts.acquire(lock, "c3d4:5", 1, 1, LEASE);
        enlist(true, OTHER, 2);
        enlist(true, OTHER_TOO, 3);
        enlist(true, OWNER, 4);
        release("c3d4:5", 1);
        assertThat(toOwners.untilEnd()).containsExactly("watch 3000");
        assertThat(toOthers.untilEnd()).singleElement().asString().startsWith(OTHER + " 2 ");
    }

    /** When most places are empty, those that stay move up, and stay those of a client or of an owner. */
    @Test
    void places_moveUp() {
        scripts.acquire(lock, "c3d4:5", 1, 1, LEASE);
        enlist(true, OTHER, 2);
        enlist(false, OWNER, 3);
        long tenure = 4;
        for (int left = 0; left < 40; left++, tenure++) {
            enlist(true, OTHER_TOO, tenure);
            release(OTHER_TOO, tenure);
        }
        enlist(true, OTHER_TOO, tenure);
        assertThat(scripts.hash(lock))
                .containsEntry(OTHER + ":line", "1")
                .containsEntry("6f8e:line", "2")
                .doesNotContainKeys("b02c:line", OWNER + ":line", "line:40");
        release("c3d4:5", 1);
        assertThat(holder()).isEqualTo(OTHER + ":tenure");
        release(OTHER, 2);
        assertThat(holder()).isEqualTo(OWNER + ":tenure");
        release(OWNER, 3);
        assertThat(holder()).isEqualTo(OTHER_TOO + ":tenure");
    }
}
