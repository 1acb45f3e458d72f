package dev.holdfast.examples.stale;

import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A process that changes the balance once, under the lock, in two steps that its parent triggers: it acquires the lock
 * and reads, and then it writes and releases. It ends at the end of its standard input, which only the parent holds
 * open.
 */
final class TellerProcess {
    private TellerProcess() {}

    /** {@return the arguments of {@link #main}} */
    static List<String> arguments(String redisUri, Duration lease, int amount, boolean guarded) {
        return List.of(redisUri, lease.toString(), Integer.toString(amount), Boolean.toString(guarded));
    }

    public static void main(String[] args) throws IOException {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the real stdout is for the parent only
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int amount = Integer.parseInt(args[2]);
        boolean guarded = Boolean.parseBoolean(args[3]);
        try (Account account = Account.at(args[0]);
                Holdfast holdfast = Holdfast.builder()
                        .redisUri(args[0])
                        .watchdogTimeout(Duration.parse(args[1]))
                        .build()) {
            parent.println("ready");
            if (input.readLine() != null) {
                serve(account, holdfast.getFencedLock(Account.LOCK), amount, guarded, input, parent);
            }
        }
        System.exit(0);
    }

    /**
     * The parent may stop this process while it waits for the signal to write, when it has acquired the lock and read
     * the balance.
     */
    private static void serve(
            Account account, FencedLock lock, int amount, boolean guarded, BufferedReader input, PrintStream parent)
            throws IOException {
        long token = lock.lockAndGetToken();
        try {
            int balance = account.balance();
            parent.println("holding " + token + " " + balance);
            if (input.readLine() != null) {
                boolean written =
                        guarded ? account.writeGuarded(balance + amount, token) : account.write(balance + amount);
                parent.println(written ? "written" : "refused");
            }
        } finally {
            parent.println(unlock(lock));
        }
    }

    private static String unlock(FencedLock lock) {
        try {
            lock.unlock();
            return "released";
        } catch (LeaseLostException e) {
            return "lost " + e.reason();
        }
    }
}
