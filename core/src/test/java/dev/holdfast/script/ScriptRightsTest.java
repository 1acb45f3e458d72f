package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockKinds;
import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts.Kept;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
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

    /** Readers of the client of {@link RawScripts#OWNER}, and of another one. */
    private static final String READER = "6f8e:-4";

    private static final String ANOTHER_READER = "b02c:-8";

    private static final long LONGER = LEASE.multipliedBy(10).toMillis();
    private static final long SHORTER = LEASE.dividedBy(4).toMillis();

    /** When the leases of {@link Given} end by the clock of {@link #timed}. */
    private static final long END_MS = 1_700_000_000_000L;

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    @AutoClose
    private static final TimedScripts timed = new TimedScripts();

    private static final Map<String, String> digests = new HashMap<>();

    @AutoClose
    private final StatefulRedisConnection<String, String> restricted =
            scripts.connectAs("app", "reset", "on", ">pw", "+@all", "~*", "&*");

    private final LockKinds kind;

    ScriptRightsTest(LockKinds kind) {
        this.kind = kind;
    }

    /** Runs a script to its end, with all rights. */
    @FunctionalInterface
    private interface Runner {
        void run(String file, List<String> keys, Object... arguments);
    }

    /** The lock before a command. */
    private enum Given {
        FREE,
        /** Held with tenure 3 by {@link RawScripts#OWNER}, twice. */
        HELD,
        /** Read with tenure 3 by that owner, and by another one. */
        READ
    }

    /** A command for a lock of the kinds that have its script. */
    private enum Command {
        ACQUIRE_FREE(Given.FREE, "acquire.lua", OWNER, 3, 1, LONGER),
        ACQUIRE_FREE_LABELLED(Given.FREE, "acquire.lua", OWNER, 3, 1, LONGER, "a label"),
        ACQUIRE_ADOPTING_LONGER(Given.HELD, "acquire.lua", OWNER, 4, 1, LONGER),
        ACQUIRE_ADOPTING_SHORTER(Given.HELD, "acquire.lua", OWNER, 4, 1, SHORTER, "a label"),
        ACQUIRE_AGAIN(Given.HELD, "acquire.lua", OWNER, 3, 3, LONGER),
        ACQUIRE_AGAIN_SHORTER(Given.HELD, "acquire.lua", OWNER, 3, 3, SHORTER),
        ACQUIRE_BUSY(Given.HELD, "acquire.lua", OTHER, 9, 1, LONGER),
        RELEASE_PARTLY(Given.HELD, "release.lua", OWNER, 3, 1, RawScripts.CHANNEL, "PUBLISH"),
        RELEASE(Given.HELD, "release.lua", OWNER, 3, 0, RawScripts.CHANNEL, "PUBLISH"),
        RELEASE_OLDER(Given.HELD, "release.lua", OWNER, 4, 0, RawScripts.CHANNEL, "PUBLISH"),
        RENEW(Given.HELD, "renew.lua", OWNER, 3, LONGER),
        VERIFY(Given.HELD, "verify.lua", OWNER, 3),
        HANDOFF(Given.HELD, "handoff.lua", OTHER, 9, LONGER, OWNER, 3),
        HANDOFF_SHORTER(Given.HELD, "handoff.lua", OTHER, 9, SHORTER, OWNER, 3),
        HANDOFF_TO_ITSELF(Given.HELD, "handoff.lua", OWNER, 4, LONGER, OWNER, 3),
        HANDOFF_TO_ITSELF_SHORTER(Given.HELD, "handoff.lua", OWNER, 4, SHORTER, OWNER, 3),
        HANDOFF_AGAIN(Given.HELD, "handoff.lua", OWNER, 3, LONGER, OTHER, 2),
        CLOSE_AFTER_LONGER(Given.HELD, "close-after.lua", OWNER, 3, 4, LONGER, RawScripts.CHANNEL, "PUBLISH", "0"),
        CLOSE_AFTER_SHORTER(Given.HELD, "close-after.lua", OWNER, 3, 4, SHORTER, RawScripts.CHANNEL, "PUBLISH", "0"),
        SETTLE(Given.HELD, "settle.lua", OTHER, 9, 1, LONGER, "", OWNER, 3),
        SETTLE_SHORTER_WITH_TOKEN(Given.HELD, "settle.lua", OTHER, 9, 1, SHORTER, "4711", OWNER, 3),
        SETTLE_ITSELF(Given.HELD, "settle.lua", OWNER, 4, 1, LONGER, "", OWNER, 3),
        SETTLE_ITSELF_SHORTER(Given.HELD, "settle.lua", OWNER, 4, 1, SHORTER, "4711", OWNER, 3),
        SETTLE_AGAIN(Given.HELD, "settle.lua", OWNER, 3, 2, LONGER, "", OTHER, 2),
        FORCE_UNLOCK(Given.HELD, "force-unlock.lua", RawScripts.CHANNEL, "PUBLISH", "0"),
        INSPECT(Given.HELD, "inspect.lua"),

        WRITE_FREE(Given.FREE, "rw-acquire.lua", OWNER, 3, 1, LONGER, "write"),
        WRITE_FREE_LABELLED(Given.FREE, "rw-acquire.lua", OWNER, 3, 1, LONGER, "write", "a label"),
        WRITE_ADOPTING_LONGER(Given.HELD, "rw-acquire.lua", OWNER, 4, 1, LONGER, "write"),
        WRITE_ADOPTING_SHORTER(Given.HELD, "rw-acquire.lua", OWNER, 4, 1, SHORTER, "write", "a label"),
        WRITE_AGAIN(Given.HELD, "rw-acquire.lua", OWNER, 3, 3, LONGER, "write"),
        WRITE_BUSY(Given.READ, "rw-acquire.lua", OTHER, 9, 1, LONGER, "write"),
        READ_FREE(Given.FREE, "rw-acquire.lua", OWNER, 3, 1, LONGER, "read", "a label"),
        READ_BESIDE_LONGER(Given.READ, "rw-acquire.lua", OTHER, 9, 1, LONGER, "read"),
        READ_BESIDE_SHORTER(Given.READ, "rw-acquire.lua", OTHER, 9, 1, SHORTER, "read", "a label"),
        READ_ADOPTING_LONGER(Given.READ, "rw-acquire.lua", OWNER, 4, 1, LONGER, "read"),
        READ_ADOPTING_SHORTER(Given.READ, "rw-acquire.lua", OWNER, 4, 1, SHORTER, "read"),
        READ_BUSY(Given.HELD, "rw-acquire.lua", OTHER, 9, 1, LONGER, "read"),
        WRITE_RELEASE_PARTLY(Given.HELD, "rw-release.lua", OWNER, 3, 1, RawScripts.CHANNEL, "PUBLISH"),
        WRITE_RELEASE(Given.HELD, "rw-release.lua", OWNER, 3, 0, RawScripts.CHANNEL, "PUBLISH"),
        WRITE_RELEASE_OLDER(Given.HELD, "rw-release.lua", OWNER, 4, 0, RawScripts.CHANNEL, "PUBLISH"),
        READ_RELEASE(Given.READ, "rw-release.lua", OWNER, 3, 0, RawScripts.CHANNEL, "PUBLISH"),
        READ_RELEASE_OLDER(Given.READ, "rw-release.lua", OWNER, 4, 0, RawScripts.CHANNEL, "PUBLISH"),
        DOWNGRADE_LONGER(
                Given.HELD, "rw-downgrade.lua", OWNER, 3, READER, 4, LONGER, RawScripts.CHANNEL, "PUBLISH", "a label"),
        DOWNGRADE_SHORTER(
                Given.HELD, "rw-downgrade.lua", OWNER, 3, READER, 4, SHORTER, RawScripts.CHANNEL, "PUBLISH", ""),
        WRITE_RENEW(Given.HELD, "rw-renew.lua", OWNER, 3, LONGER),
        READ_RENEW(Given.READ, "rw-renew.lua", OWNER, 3, LONGER),
        READ_SETTLE(Given.READ, "rw-settle.lua", READER, 9, LONGER, "a label", OWNER, 3),
        READ_SETTLE_SHORTER(Given.READ, "rw-settle.lua", READER, 9, SHORTER, "", OWNER, 3),
        READ_SETTLE_ITSELF(Given.READ, "rw-settle.lua", OWNER, 4, LONGER, "", OWNER, 3),
        READ_VERIFY(Given.READ, "verify.lua", OWNER, 3),
        READ_FORCE_UNLOCK(Given.READ, "force-unlock.lua", RawScripts.CHANNEL, "PUBLISH", "1"),
        WRITE_INSPECT(Given.HELD, "rw-inspect.lua"),
        READ_INSPECT(Given.READ, "rw-inspect.lua");

        /** The scripts of the plain lock that a writer has as well. */
        private static final List<String> SHARED =
                List.of("verify.lua", "handoff.lua", "close-after.lua", "settle.lua");

        final Given given;
        final String file;

        @SuppressWarnings("ImmutableEnumChecker") // contains strings and numbers only
        final List<Object> arguments;

        Command(Given given, String file, Object... arguments) {
            this.given = given;
            this.file = file;
            this.arguments = List.of(arguments);
        }

        boolean isOf(LockKinds kind) {
            return kind == LockKinds.WRITE
                    ? given == Given.READ || file.startsWith("rw-") || SHARED.contains(file)
                    : given != Given.READ && !file.startsWith("rw-");
        }

        boolean mayGrant() {
            return file.equals("acquire.lua") || file.equals("handoff.lua");
        }
    }

    /** With all rights each of these commands does something; otherwise the other tests would prove nothing. */
    @Test
    void nothingMissing_isNotRefused() {
        assertThat(commands()).hasSizeGreaterThan(20).allSatisfy(command -> {
            String lock = given(command, scripts::run);
            assertThat(refused(command, lock)).isFalse();
            assertThat(scripts.redis().pttl(lock)).isNotEqualTo(-1);
        });
    }

    private List<Command> commands() {
        return Stream.of(Command.values()).filter(command -> command.isOf(kind)).toList();
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

    /**
     * With any one right missing likewise in the last millisecond of a lease, of which PTTL is 0 although the key still
     * exists.
     */
    @Test
    void rightMissing_lastMillisecond() {
        List<String> wrongs = new ArrayList<>();
        int restored = 0;
        for (String missing : COMMANDS) {
            for (Command command : commands()) {
                timed.restore(Map.of());
                String lock = given(command, this::runAtTheBeginning);
                Kept before = runTimed("verify.lua", END_MS, List.of(), List.of(lock), "nobody", 1)
                        .keys()
                        .get(0);

                TimedScripts.Effect effect = runTimed(
                        command.file,
                        END_MS,
                        List.of(missing.toUpperCase(Locale.ROOT)),
                        keys(command.mayGrant(), lock),
                        command.arguments.toArray());

                assertThat(before.expires()).isEqualTo(command.given == Given.FREE ? -2 : END_MS);
                Kept after = effect.keys().get(0);
                boolean refused = effect.reply().get(0) instanceof String;
                boolean isSame = after.expires() == before.expires();
                if (command.given != Given.FREE && missing.equals("hset") && !isSame) {
                    // What is set again ends two milliseconds after now; the renewal of a reader sets no shorter one
                    // again.
                    isSame = after.expires() == END_MS + (command == Command.READ_RENEW ? LONGER : 2);
                    restored += isSame ? 1 : 0;
                }
                if (after.expires() == -1
                        || (refused && !(isSame && after.fields().equals(before.fields())))) {
                    wrongs.add(command + " without " + missing + ": " + before + " -> " + after);
                }
            }
        }
        assertThat(wrongs).isEmpty();
        assertThat(restored).as("restored").isGreaterThanOrEqualTo(2);
    }

    private TimedScripts.Effect runTimed(
            String file, long nowMs, List<String> missing, List<String> keys, Object... arguments) {
        String digest = digests.computeIfAbsent(file, name -> timed.load(TimedScripts.shipped(name)));
        TimedScripts.Setting setting = new TimedScripts.Setting(1000 * nowMs, List.of(), missing);
        return Patience.get(timed.send(digest, setting, keys, List.of(arguments)));
    }

    private void runAtTheBeginning(String file, List<String> keys, Object... arguments) {
        runTimed(file, END_MS - LEASE.toMillis(), List.of(), keys, arguments);
    }

    private void requireHarmless(List<List<String>> missingTogether) {
        List<String> wrongs = new ArrayList<>();
        int refusals = 0;
        for (List<String> missing : missingTogether) {
            deny(missing);
            for (Command command : commands()) {
                String lock = given(command, scripts::run);
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

    private String given(Command command, Runner runner) {
        String lock = scripts.newLock();
        if (command.given == Given.READ) {
            runner.run("rw-acquire.lua", List.of(lock), OWNER, 3, 1, LEASE.toMillis(), "read");
            runner.run("rw-acquire.lua", List.of(lock), ANOTHER_READER, 5, 1, LEASE.toMillis(), "read");
        } else if (command.given == Given.HELD && kind == LockKinds.WRITE) {
            runner.run("rw-acquire.lua", List.of(lock), OWNER, 3, 1, LEASE.toMillis(), "write");
            runner.run("rw-acquire.lua", List.of(lock), OWNER, 3, 2, LEASE.toMillis(), "write");
        } else if (command.given == Given.HELD) {
            runner.run("acquire.lua", keys(true, lock), OWNER, 3, 1, LEASE.toMillis());
            runner.run("acquire.lua", keys(true, lock), OWNER, 3, 2, LEASE.toMillis());
        }
        return lock;
    }

    /** The renewal of a reader extends the key first, which may outlive its readers. */
    private static boolean isAsGiven(Command command, long left) {
        long most = command == Command.READ_RENEW ? LONGER : LEASE.toMillis();
        return command.given != Given.FREE
                ? left > LEASE.minus(Duration.ofSeconds(30)).toMillis() && left <= most
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
