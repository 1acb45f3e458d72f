package dev.holdfast.examples.shop;

import dev.holdfast.examples.shop.Outcome.Accident;
import dev.holdfast.examples.shop.Outcome.End;
import dev.holdfast.examples.shop.Outcome.LongSale;
import dev.holdfast.examples.shop.Outcome.SellerOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether a run showed what it is meant to show: with the lock, that every item was sold once, in spite of the
 * incidents; without it, that items are sold twice.
 *
 * @param complaints the expectations that the run did not meet
 */
record Verdict(List<String> complaints) {
    static Verdict on(Outcome outcome) {
        List<String> complaints = new ArrayList<>();
        boolean failsOver = outcome.plan().failsOver();
        outcome.sellers().forEach(seller -> judge(seller, failsOver, complaints));
        if (outcome.plan().locked()) {
            judgeStock(outcome, complaints);
            if (outcome.plan().hasIncidents()) {
                judgeAccident(outcome, complaints);
                judgeLongSale(outcome, complaints);
            }
            if (failsOver && outcome.failover().isEmpty()) {
                complaints.add("the master of the lock was not killed");
            }
        } else if (outcome.ledger().oversold() == 0) {
            complaints.add("no item was sold twice, although there was no lock: the run shows nothing");
        }
        return new Verdict(List.copyOf(complaints));
    }

    boolean isGood() {
        return complaints.isEmpty();
    }

    /** A hold that the killed master had not replicated may be lost: its seller gets an exception, and sells nothing. */
    private static void judge(SellerOutcome seller, boolean failsOver, List<String> complaints) {
        if (seller.end() == End.FAILED) {
            complaints.add("process " + seller.process() + " failed: " + seller.failure());
        }
        if (seller.lost() > 0 && !failsOver) {
            complaints.add("process " + seller.process() + " lost " + seller.lost() + " leases");
        }
    }

    private static void judgeStock(Outcome outcome, List<String> complaints) {
        int stock = outcome.plan().stock();
        if (outcome.ledger().oversold() > 0) {
            complaints.add(outcome.ledger().oversold() + " sales were of an item that had been sold before");
        }
        if (outcome.ledger().sold() != stock) {
            complaints.add(outcome.ledger().sold() + " items were sold of " + stock);
        }
        if (outcome.left() != 0) {
            complaints.add(outcome.left() + " items are left");
        }
    }

    private static void judgeAccident(Outcome outcome, List<String> complaints) {
        if (outcome.accident().isEmpty()) {
            complaints.add("no process was killed while it held the lock");
            return;
        }
        Accident accident = outcome.accident().get();
        if (accident.stayed().isEmpty()) {
            complaints.add("no process got the lock after its holder was killed");
        } else if (accident.stayed().get().compareTo(outcome.plan().longestStay()) > 0) {
            complaints.add("the killed holder's lock stayed for "
                    + Text.seconds(accident.stayed().get()) + ", but it must be free after "
                    + Text.seconds(outcome.plan().longestStay()));
        }
    }

    private static void judgeLongSale(Outcome outcome, List<String> complaints) {
        if (outcome.longSale().isEmpty()) {
            complaints.add("no sale outlived its lease");
            return;
        }
        LongSale sale = outcome.longSale().get();
        Stream.of(
                        sale.held().compareTo(outcome.plan().longSale()) < 0 ? "was shorter than planned" : "",
                        sale.renewals() == 0 ? "was never renewed" : "",
                        sale.kept() ? "" : "lost its lock")
                .filter(fault -> !fault.isEmpty())
                .forEach(fault -> complaints.add("the long sale of process " + sale.process() + " " + fault));
    }
}
