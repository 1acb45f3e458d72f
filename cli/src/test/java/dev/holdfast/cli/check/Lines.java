package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.stream.Stream;

/** The lines of one check, for tests: picks some, and does what they say. */
final class Lines {
    private Lines() {}

    static List<Finding> of(List<Finding> findings, Check check) {
        return findings.stream().filter(finding -> finding.check() == check).toList();
    }

    static Finding one(List<Finding> findings, Check check) {
        List<Finding> found = of(findings, check);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    static Finding worst(List<Finding> findings, Check check) {
        return of(findings, check).stream()
                .max((one, other) -> one.level().compareTo(other.level()))
                .orElseThrow();
    }

    static void assertFound(Finding finding, Level level, String figure) {
        assertThat(finding.level()).as("%s", finding).isEqualTo(level);
        assertThat(finding.figure()).contains(figure);
        assertThat(finding.why()).isNotEmpty();
        assertThat(finding.set()).isNotEmpty();
    }

    /** Round trips depend on the machine. */
    static void assertAllIsOk(List<Finding> findings) {
        assertThat(findings)
                .filteredOn(finding -> finding.check() != Check.ROUND_TRIP)
                .allMatch(finding -> finding.level() == Level.OK);
    }

    /** Sends the commands that the finding says, if it says any. */
    static void paste(Finding finding, RedisServer server) {
        if (finding.set().matches("(CONFIG|ACL|SENTINEL) SET.*")) {
            Stream.of(finding.set().split(" and ", -1)).forEach(command -> server.command(command.split(" ", -1)));
        }
    }
}
