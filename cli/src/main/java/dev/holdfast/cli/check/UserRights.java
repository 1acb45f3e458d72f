package dev.holdfast.cli.check;

import java.util.Map;

/**
 * What the user may do at one server.
 *
 * @param user as ACL rules name it
 * @param prefix that of the names that were tried
 * @param verdicts by rights in the syntax of ACL rules
 */
record UserRights(String user, String prefix, Map<String, RightVerdict> verdicts) {
    UserRights {
        verdicts = Map.copyOf(verdicts);
    }

    RightVerdict of(String right) {
        return verdicts.getOrDefault(right, RightVerdict.UNKNOWN);
    }
}
