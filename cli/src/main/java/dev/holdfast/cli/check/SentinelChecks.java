package dev.holdfast.cli.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Whether the sentinels find that a master is down, agree, and say so in time. */
final class SentinelChecks {
    private SentinelChecks() {}

    /** @param unreached those of the address that do not answer */
    static List<Finding> of(List<SentinelView> sentinels, List<Unreached> unreached) {
        List<Finding> findings = new ArrayList<>();
        findings.add(named(sentinels, unreached));
        unreached.forEach(down -> findings.add(Finding.warning(
                        Check.SENTINELS,
                        "does not answer: " + down.reason(),
                        "a sentinel that answers there, without a password, or an address without it")
                .at(down.address())));
        int known = known(sentinels, unreached.size());
        for (SentinelView sentinel : sentinels) {
            findings.add(quorum(sentinel, known).at(sentinel.address()));
            findings.add(downAfter(sentinel).at(sentinel.address()));
            findings.add(reports(sentinel).at(sentinel.address()));
        }
        return findings;
    }

    private static int known(List<SentinelView> sentinels, int unreached) {
        return sentinels.stream()
                .mapToInt(sentinel ->
                        (int) (sentinel.number("num-other-sentinels").orElse(-1L) + 1))
                .reduce(sentinels.size() + unreached, Math::max);
    }

    static Finding named(List<SentinelView> sentinels, List<Unreached> unreached) {
        int named = sentinels.size() + unreached.size();
        int known = known(sentinels, unreached.size());
        String figure = named + " named, " + sentinels.size() + " answer, " + known + " known";
        TreeSet<String> masters = new TreeSet<>();
        sentinels.forEach(sentinel -> sentinel.master().fold(masters::add, reason -> false));
        if (sentinels.size() * 2 <= named) {
            return Finding.error(
                    Check.SENTINELS,
                    figure + ": no more than half, so no failover is followed",
                    "sentinels that answer");
        }
        if (masters.isEmpty()) {
            return Finding.error(
                    Check.SENTINELS,
                    figure + "; " + sentinels.get(0).master().reason(),
                    "the name of sentinel monitor behind the # of the address");
        }
        if (masters.size() > 1) {
            return Finding.warning(
                    Check.SENTINELS,
                    figure + ", which name " + String.join(" and ", masters),
                    "another check, when a failover is over");
        }
        if (known > named) {
            return Finding.warning(Check.SENTINELS, figure, "the addresses of all " + known + " in the address");
        }
        return named < 3
                ? Finding.warning(Check.SENTINELS, figure, "three sentinels or more, on different machines")
                : Finding.ok(Check.SENTINELS, figure);
    }

    static Finding quorum(SentinelView sentinel, int known) {
        return sentinel.number("quorum")
                .fold(
                        quorum -> {
                            String figure = "quorum " + quorum + " of " + known;
                            String set = "SENTINEL SET " + name(sentinel) + " quorum " + (known / 2 + 1);
                            if (quorum > known) {
                                return Finding.error(Check.QUORUM, figure + ": no failover ever begins", set);
                            }
                            if (quorum == known && known > 1) {
                                return Finding.warning(
                                        Check.QUORUM, figure + ": no failover while one sentinel is down", set);
                            }
                            return quorum * 2 <= known
                                    ? Finding.note(Check.QUORUM, figure + ": less than a majority begins one", set)
                                    : Finding.ok(Check.QUORUM, figure);
                        },
                        reason -> Finding.unknown(Check.QUORUM, "quorum", reason));
    }

    static Finding downAfter(SentinelView sentinel) {
        return sentinel.number("down-after-milliseconds")
                .fold(
                        millis -> {
                            String figure = "down-after-milliseconds " + millis;
                            String set = "SENTINEL SET " + name(sentinel) + " down-after-milliseconds 5000";
                            if (millis < 1_000) {
                                return Finding.warning(
                                        Check.DOWN_AFTER, figure + ": a master that pauses is replaced", set);
                            }
                            return millis > 5_000
                                    ? Finding.warning(
                                            Check.DOWN_AFTER,
                                            figure + ": a failover takes " + (millis + 1_500) / 1_000
                                                    + " s, of the 20 s that a lease of 30 s leaves",
                                            set)
                                    : Finding.ok(Check.DOWN_AFTER, figure);
                        },
                        reason -> Finding.unknown(Check.DOWN_AFTER, "down-after-milliseconds", reason));
    }

    static Finding reports(SentinelView sentinel) {
        return sentinel.subscription()
                .fold(
                        yes -> Finding.ok(Check.SENTINELS, "reports failovers"),
                        reason -> Finding.warning(
                                Check.SENTINELS,
                                "reports no failovers, which are noticed later therefore: " + reason,
                                "+subscribe &+switch-master for the user of the sentinel"));
    }

    private static String name(SentinelView sentinel) {
        return sentinel.state().orElse(Map.of()).getOrDefault("name", "NAME");
    }
}
