package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What follows from the rights of a user, and from the errors by which they are known. */
@Tag("pure")
final class RightsChecksTest {
    private static UserRights allBut(String prefix, Map<String, RightVerdict> changed) {
        Map<String, RightVerdict> verdicts = new HashMap<>();
        Stream.of(Use.values())
                .flatMap(use -> Stream.of(true, false).flatMap(sharded -> use.rights(prefix, sharded).stream()))
                .forEach(right -> verdicts.put(right, RightVerdict.ALLOWED));
        verdicts.putAll(changed);
        return new UserRights("locks", prefix, verdicts);
    }

    private static Finding fenced(String prefix, Map<String, RightVerdict> changed) {
        return RightsChecks.of(allBut(prefix, changed), Use.FENCED, false);
    }

    @Test
    void missing_isARuleToPaste() {
        assertThat(fenced("orders:", Map.of()).level()).isEqualTo(Level.OK);
        Finding finding = fenced(
                "orders:",
                Map.of(
                        "+time",
                        RightVerdict.DENIED,
                        "~redisson_lock_token:{orders:*",
                        RightVerdict.DENIED,
                        "+wait",
                        RightVerdict.DENIED));
        assertThat(finding.level()).isEqualTo(Level.ERROR);
        assertThat(finding.figure()).isEqualTo("fenced: user locks lacks +time ~redisson_lock_token:{orders:*");
        assertThat(finding.why()).isEqualTo("without: no fenced lock");
        assertThat(finding.set()).isEqualTo("ACL SETUSER locks +time ~redisson_lock_token:{orders:*");
    }

    /** Without the right to scripts, the others are not known: the rule has the commands, which may be granted twice. */
    @Test
    void missing_withUnknown() {
        Finding finding = fenced(
                "orders:",
                Map.of("+eval", RightVerdict.DENIED, "+time", RightVerdict.UNKNOWN, "~orders:*", RightVerdict.UNKNOWN));
        assertThat(finding.level()).isEqualTo(Level.ERROR);
        assertThat(finding.figure()).endsWith("lacks +eval");
        assertThat(finding.set()).isEqualTo("ACL SETUSER locks +eval +time");
    }

    /** A user that may use some names alone may well have those of the application. */
    @Test
    void names_unknownWithoutPrefix() {
        Finding names = fenced("", Map.of("~*", RightVerdict.DENIED));
        assertThat(names.level()).isEqualTo(Level.NOTE);
        assertThat(names.figure()).contains("unknown");
        assertThat(names.set()).contains("--prefix");
        Finding both = fenced("", Map.of("~*", RightVerdict.DENIED, "+time", RightVerdict.DENIED));
        assertThat(both.level()).isEqualTo(Level.ERROR);
        assertThat(both.set()).isEqualTo("ACL SETUSER locks +time");
    }

    @Test
    void unknown_isANote() {
        Finding finding = fenced("orders:", Map.of("+incr", RightVerdict.UNKNOWN));
        assertThat(finding.level()).isEqualTo(Level.NOTE);
        assertThat(finding.figure()).contains("unknown", "+incr");
        assertThat(finding.set()).startsWith("ACL GETUSER locks, and ACL SETUSER");
    }

    @Test
    void noCommand_isNoMatterOfRights() {
        Finding finding =
                RightsChecks.of(allBut("", Map.of("+pubsub|shardnumsub", RightVerdict.NO_COMMAND)), Use.LINE, true);
        assertThat(finding.level()).isEqualTo(Level.WARNING);
        assertThat(finding.figure()).contains("does not know PUBSUB SHARDNUMSUB");
        assertThat(finding.set()).doesNotContain("ACL");
    }

    /** Only what the application uses is asked for, and what its set-up needs. */
    @Test
    void uses_areThoseOfTheApplication() {
        List<Finding> findings = RightsChecks.of(allBut("", Map.of()), EnumSet.of(Use.FAIR), Shape.SENTINEL, true);
        assertThat(findings)
                .extracting(finding -> finding.figure().replaceFirst(":.*", ""))
                .containsExactly("client", "fair", "line", "late-commands", "identity", "replicated", "failover");
    }

    /** The errors of Redis 7.0, of 7.2 and later, and of scripts. */
    @Test
    void verdicts() {
        assertVerdicts("", RightVerdict.ALLOWED, RightVerdict.ALLOWED);
        assertVerdicts("ERR wrong number of arguments for 'hset' command", RightVerdict.ALLOWED, RightVerdict.ALLOWED);
        assertVerdicts(
                "ERR Write commands are not allowed from read-only scripts.",
                RightVerdict.ALLOWED,
                RightVerdict.ALLOWED);
        assertVerdicts("NOSCRIPT No matching script.", RightVerdict.ALLOWED, RightVerdict.ALLOWED);
        assertVerdicts("MOVED 42 127.0.0.1:7000", RightVerdict.ALLOWED, RightVerdict.ALLOWED);
        for (String denied : List.of(
                "NOPERM this user has no permissions to run the 'script|load' command",
                "NOPERM User locks has no permissions to run the 'time' command",
                "ERR The user executing the script can't run this command or subcommand",
                "ERR ACL failure in script: User locks has no permissions to run the 'hset' command")) {
            assertVerdicts(denied, RightVerdict.DENIED, RightVerdict.UNKNOWN);
        }
        for (String name : List.of(
                "NOPERM this user has no permissions to access one of the keys used as arguments",
                "NOPERM this user has no permissions to access one of the channels used as arguments",
                "NOPERM No permissions to access a key",
                "NOPERM No permissions to access a channel",
                "ERR The user executing the script can't access at least one of the keys mentioned in the command arguments",
                "ERR The user executing the script can't publish to the channel mentioned in the command",
                "ERR ACL failure in script: User locks has no permissions to access the 'orders:42' key",
                "ERR ACL failure in script: User locks has no permissions to access the 'a' channel")) {
            assertVerdicts(name, RightVerdict.ALLOWED, RightVerdict.DENIED);
        }
        for (String none : List.of(
                "ERR unknown command 'EVAL', with args beginning with: 'a'",
                "ERR unknown subcommand 'SHARDNUMSUB'. Try PUBSUB HELP.",
                "ERR Unknown subcommand or wrong number of arguments for 'SHARDNUMSUB'. Try PUBSUB HELP.",
                "ERR Unknown Redis command called from script script: 1, on @user_script:5.")) {
            assertVerdicts(none, RightVerdict.NO_COMMAND, RightVerdict.UNKNOWN);
        }
        assertVerdicts("no answer within 3 s", RightVerdict.UNKNOWN, RightVerdict.UNKNOWN);
    }

    private static void assertVerdicts(String error, RightVerdict ofCommand, RightVerdict ofName) {
        assertThat(RightVerdict.ofCommand(error)).as(error).isEqualTo(ofCommand);
        assertThat(RightVerdict.ofName(error)).as(error).isEqualTo(ofName);
    }
}
