package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockKinds;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every script, in every state of the lock in which it does something, for a user that lacks any one or two of the
 * rights that scripts need: no key is left without expiry, and a refused script has changed nothing.
 */
@Tag("script")
@Tag("driver")
@ParameterizedClass
@EnumSource(LockKinds.class)
final class ScriptRightsTest {
    private static final List<String> COMMANDS = List.of(
            "hget", "hmget", "hset", "hdel", "hgetall", "pttl", "pexpire", "del", "publish", "time", "get", "set",
            "incr");

    private static final long LONGER = LEASE.multipliedBy(10).toMillis();
    private static final long SHORTER = LEASE.dividedBy(4).toMillis();

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    @AutoClose
    private final StatefulRedisConnection<String, String> restricted =
            scripts.connectAs("app", "reset", "on", ">pw", "+@all", "~*", "&*");

    private final LockKinds kind;

    ScriptRightsTest(LockKinds kind) {
        this.kind = kind;
    }

    /** A command for a lock that is free, or held with tenure 3 by {@link RawScripts#OWNER}, twice. */
    private enum Command {
        ACQUIRE_FREE(false, "acquire.lua", OWNER, 3, 1, LONGER),
        ACQUIRE_FREE_LABELLED(false, "acquire.lua", OWNER, 3, 1, LONGER, "a label"),
        ACQUIRE_ADOPTING_LONGER(true, "acquire.lua", OWNER, 4, 1, LONGER),
        ACQUIRE_ADOPTING_SHORTER(true, "acquire.lua", OWNER, 4, 1, SHORTER, "a label"),
        ACQUIRE_AGAIN(true, "acquire.lua", OWNER, 3, 3, LONGER),
        ACQUIRE_AGAIN_SHORTER(true, "acquire.lua", OWNER, 3, 3, SHORTER),
        ACQUIRE_BUSY(true, "acquire.lua", OTHER, 9, 1, LONGER),
        RELEASE_PARTLY(true, "release.lua", OWNER, 3, 1, RawScripts.CHANNEL, "PUBLISH"),
        RELEASE(true, "release.lua", OWNER, 3, 0, RawScripts.CHANNEL, "PUBLISH"),
        RELEASE_OLDER(true, "release.lua", OWNER, 4, 0, RawScripts.CHANNEL, "PUBLISH"),
        RENEW(true, "renew.lua", OWNER, 3, LONGER),
        VERIFY(true, "verify.lua", OWNER, 3),
        HANDOFF(true, "handoff.lua", OTHER, 9, LONGER, OWNER, 3),
        HANDOFF_SHORTER(true, "handoff.lua", OTHER, 9, SHORTER, OWNER, 3),
        HANDOFF_TO_ITSELF(true, "handoff.lua", OWNER, 4, LONGER, OWNER, 3),
        HANDOFF_TO_ITSELF_SHORTER(true, "handoff.lua", OWNER, 4, SHORTER, OWNER, 3),
        HANDOFF_AGAIN(true, "handoff.lua", OWNER, 3, LONGER, OTHER, 2),
        CLOSE_AFTER_LONGER(true, "close-after.lua", OWNER, 3, 4, LONGER, RawScripts.CHANNEL, "PUBLISH", "0"),
        CLOSE_AFTER_SHORTER(true, "close-after.lua", OWNER, 3, 4, SHORTER, RawScripts.CHANNEL, "PUBLISH", "0"),
        SETTLE(true, "settle.lua", OTHER, 9, 1, LONGER, "", OWNER, 3),
        SETTLE_SHORTER_WITH_TOKEN(true, "settle.lua", OTHER, 9, 1, SHORTER, "4711", OWNER, 3),
        SETTLE_ITSELF(true, "settle.lua", OWNER, 4, 1, LONGER, "", OWNER, 3),
        SETTLE_ITSELF_SHORTER(true, "settle.lua", OWNER, 4, 1, SHORTER, "4711", OWNER, 3),
        SETTLE_AGAIN(true, "settle.lua", OWNER, 3, 2, LONGER, "", OTHER, 2),
        FORCE_UNLOCK(true, "force-unlock.lua", RawScripts.CHANNEL, "PUBLISH", "0"),
        INSPECT(true, "inspect.lua");

        final boolean held;
        final String file;

        @SuppressWarnings("ImmutableEnumChecker") // contains strings and numbers only
        final List<Object> arguments;

        Command(boolean held, String file, Object... arguments) {
            this.held = held;
            this.file = file;
            this.arguments = List.of(arguments);
        }

        boolean mayGrant() {
            return file.equals("acquire.lua") || file.equals("handoff.lua");
        }
    }

    /** With all rights each of these commands does something; otherwise the other tests would prove nothing. */
    @ParameterizedTest
    @EnumSource(Command.class)
    void nothingMissing_isNotRefused(Command command) {
        String lock = given(command);

        assertThat(refused(command, lock)).isFalse();

        assertThat(scripts.redis().pttl(lock)).isNotEqualTo(-1);
    }

    /** With any one right missing, keys are unchanged or keep an expiry. */
    @Test
    void rightMissing_asBeforeAndNeverWithoutExpiry() {
        requireHarmless(COMMANDS.stream().map(List::of).toList());
    }

    /** With any two rights missing likewise. */
    @Tag("slow")
    @Test
    void rightsMissing_asBeforeAndNeverWithoutExpiry() {
        requireHarmless(IntStream.range(0, COMMANDS.size())
                .boxed()
                .flatMap(one -> COMMANDS.subList(one + 1, COMMANDS.size()).stream()
                        .map(other -> List.of(COMMANDS.get(one), other)))
                .toList());
    }

    private void requireHarmless(List<List<String>> missingTogether) {
        List<String> wrongs = new ArrayList<>();
        int refusals = 0;
        for (List<String> missing : missingTogether) {
            deny(missing);
            for (Command command : Command.values()) {
                String lock = given(command);
                Map<String, String> before = scripts.hash(lock);

                boolean refused = refused(command, lock);

                Map<String, String> after = scripts.hash(lock);
                long left = scripts.redis().pttl(lock);
                if (left == -1 || (refused && !(after.equals(before) && isAsGiven(command, left)))) {
                    wrongs.add(command + " without " + missing + ": " + before + " -> " + after + ", left " + left);
                }
                refusals += refused ? 1 : 0;
                scripts.redis().del(lock);
            }
        }
        assertThat(wrongs).isEmpty();
        assertThat(refusals).as("refused").isGreaterThan(missingTogether.size());
    }

    private static void deny(List<String> missing) {
        Stream<String> denied = missing.stream().map(command -> "-" + command);
        scripts.server()
                .command(Stream.concat(Stream.of("ACL", "SETUSER", "app", "+@all"), denied)
                        .toArray(String[]::new));
    }

    private String given(Command command) {
        String lock = scripts.newLock();
        if (command.held) {
            scripts.run("acquire.lua", keys(true, lock), OWNER, 3, 1, LEASE.toMillis());
            scripts.run("acquire.lua", keys(true, lock), OWNER, 3, 2, LEASE.toMillis());
        }
        return lock;
    }

    private static boolean isAsGiven(Command command, long left) {
        return command.held
                ? left > LEASE.minus(Duration.ofSeconds(30)).toMillis() && left <= LEASE.toMillis()
                : left == -2;
    }

    /** {@return whether Redis refused it; for a batch, whether it refused its one element} */
    private boolean refused(Command command, String lock) {
        try {
            Object reply = scripts.runOver(
                    restricted, command.file, keys(command.mayGrant(), lock), command.arguments.toArray());
            return reply instanceof String;
        } catch (RedisCommandExecutionException e) {
            return true;
        }
    }

    private List<String> keys(boolean mayGrant, String lock) {
        return mayGrant && kind == LockKinds.FENCED ? List.of(lock, RawScripts.tokens(lock)) : List.of(lock);
    }
}
