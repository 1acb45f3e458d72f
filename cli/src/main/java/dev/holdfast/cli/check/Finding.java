package dev.holdfast.cli.check;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of the result.
 *
 * @param where the addresses of the nodes that it is about; empty if it is about all of the deployment
 * @param figure what was found
 * @param why it matters
 * @param set what to set; empty if nothing
 */
public record Finding(Level level, Check check, List<String> where, String figure, String why, String set) {
    public Finding {
        where = List.copyOf(where);
    }

    static Finding ok(Check check, String figure) {
        return new Finding(Level.OK, check, List.of(), figure, check.why(), "");
    }

    static Finding note(Check check, String figure, String set) {
        return new Finding(Level.NOTE, check, List.of(), figure, check.why(), set);
    }

    static Finding warning(Check check, String figure, String set) {
        return new Finding(Level.WARNING, check, List.of(), figure, check.why(), set);
    }

    static Finding error(Check check, String figure, String set) {
        return new Finding(Level.ERROR, check, List.of(), figure, check.why(), set);
    }

    /** What the server did not answer. */
    static Finding unknown(Check check, String what, String reason) {
        return note(
                check,
                what + " unknown: " + reason,
                "run check as an administrator, or look it up where the server is managed");
    }

    Finding at(String address) {
        return new Finding(level, check, List.of(address), figure, why, set);
    }

    /** {@return the same, for a reason of its own} */
    Finding because(String reason) {
        return new Finding(level, check, where, figure, reason, set);
    }

    /** {@return the findings, the equal ones of several nodes as one} */
    static List<Finding> merged(List<Finding> findings) {
        List<Finding> merged = new ArrayList<>();
        for (Finding finding : findings) {
            int same = indexOfSame(merged, finding);
            if (same < 0) {
                merged.add(finding);
            } else {
                List<String> where = new ArrayList<>(merged.get(same).where);
                where.addAll(finding.where);
                merged.set(
                        same,
                        new Finding(finding.level, finding.check, where, finding.figure, finding.why, finding.set));
            }
        }
        return merged;
    }

    private static int indexOfSame(List<Finding> findings, Finding sought) {
        for (int i = 0; i < findings.size(); i++) {
            if (findings.get(i).at("").equals(sought.at(""))) {
                return i;
            }
        }
        return -1;
    }
}
