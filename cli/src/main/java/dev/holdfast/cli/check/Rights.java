package dev.holdfast.cli.check;

import java.util.Map;

/**
 * What the user may do at one server.
 *
 * @param user as ACL rules name it
 * @param prefix that of the names that were tried
 * @param verdicts by rights in the syntax of ACL rules
 */
record Rights(String user, String prefix, Map<String, Verdict> verdicts) {
    Rights {
        verdicts = Map.copyOf(verdicts);
    }

    Verdict of(String right) {
        return verdicts.getOrDefault(right, Verdict.UNKNOWN);
    }
}
