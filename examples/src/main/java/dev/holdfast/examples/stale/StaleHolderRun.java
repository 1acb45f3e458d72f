package dev.holdfast.examples.stale;

import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One run: the first teller reads the balance under the lock and is stopped; the second acquires the lock when that
 * lease has run out, and writes; the first is resumed, and writes. None of the processes outlives the run.
 */
final class StaleHolderRun {
    private final boolean guarded;
    private final Duration lease;
    private final Consumer<String> out;
    private final long began = System.nanoTime();

    /** @param lease the lease of the lock; the first teller is stopped for longer than that */
    StaleHolderRun(boolean guarded, Duration lease, Consumer<String> out) {
        this.guarded = guarded;
        this.lease = lease;
        this.out = out;
    }

    Outcome run() throws InterruptedException {
        try (RedisServer redis = RedisServer.builder().start();
                Account account = Account.at(redis.uri());
                Teller first = start(redis, Outcome.FIRST_AMOUNT);
                Teller second = start(redis, Outcome.SECOND_AMOUNT)) {
            Thread killBoth = new Thread(
                    () -> {
                        first.kill();
                        second.kill();
                    },
                    "end-of-tellers");
            Runtime.getRuntime().addShutdownHook(killBoth);
            account.write(Outcome.OPENING_BALANCE);
            first.receive();
            second.receive();
            Outcome outcome = run(account, first, second);
            Runtime.getRuntime().removeShutdownHook(killBoth);
            return outcome;
        }
    }

    private Teller start(RedisServer redis, int amount) {
        return Teller.start(TellerProcess.arguments(redis.uri(), lease, amount, guarded));
    }

    private Outcome run(Account account, Teller first, Teller second) throws InterruptedException {
        first.next();
        long firstToken = holding("the first teller", first.receive());
        first.stop();
        print("the first teller is stopped (SIGSTOP) before its write; its lease, " + lease.toMillis() + " ms, ends");

        second.next();
        long secondToken = holding("the second teller", second.receive());
        second.next();
        boolean secondWrote = wrote("the second teller", second.receive(), Outcome.SECOND_AMOUNT);
        String secondEnd = ended("the second teller", second.receive());

        first.next();
        first.resume();
        print("the first teller is resumed (SIGCONT), and continues with its write");
        boolean firstWrote = wrote("the first teller", first.receive(), Outcome.FIRST_AMOUNT);
        String firstEnd = ended("the first teller", first.receive());
        int balance = account.balance();
        print("the balance is " + balance);
        return new Outcome(guarded, firstToken, secondToken, firstWrote, secondWrote, firstEnd, secondEnd, balance);
    }

    private long holding(String teller, String[] words) {
        print(teller + " has the lock, with token " + words[1] + ", and reads a balance of " + words[2]);
        return Long.parseLong(words[1]);
    }

    private boolean wrote(String teller, String[] words, int amount) {
        boolean written = words[0].equals("written");
        print(teller
                + String.format(Locale.ROOT, " adds %+d: ", amount)
                + (written ? "written" : "REFUSED, its token is stale"));
        return written;
    }

    private String ended(String teller, String[] words) {
        String end = String.join(" ", words);
        print(teller + " unlocks: " + end);
        return end;
    }

    private void print(String line) {
        out.accept(String.format(Locale.ROOT, "%6.2f s  %s", (System.nanoTime() - began) / 1e9, line));
    }
}
