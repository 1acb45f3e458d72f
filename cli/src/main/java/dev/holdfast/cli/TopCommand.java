package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** {@code holdfast top}: shows what is in use, again each second, or once. */
final class TopCommand {
    private final Console console;
    private final Signals signals;
    private final Wanted wanted;
    private final EntryOrder order;
    private final boolean isJson;

    private TopCommand(CommandLine line, Signals signals, Console console) {
        this.console = console;
        this.signals = signals;
        this.wanted = Wanted.of(line.operands());
        this.order = line.text(Option.ORDER).map(EntryOrder::named).orElse(EntryOrder.HELD);
        this.isJson = line.has(Option.JSON);
    }

    /**
     * Connects the two clients, and looks for the terminal, at the same time.
     *
     * @throws UsageException if there is no such order
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a client that was not made is not closed
    static int execute(CommandLine line, String address, HoldfastBuilder client, Signals signals, Console console) {
        TopCommand top = new TopCommand(line, signals, console);
        boolean isOnce = line.has(Option.ONCE) || line.has(Option.JSON);
        CompletableFuture<Optional<org.jline.terminal.Terminal>> terminal =
                CompletableFuture.supplyAsync(() -> isOnce ? Optional.empty() : Optional.of(TopTerminal.ofProcess()));
        CompletableFuture<Holdfast> connecting = CompletableFuture.supplyAsync(client::build);
        try (LockScan scan = LockScan.connect(address);
                Holdfast holdfast = joined(connecting);
                Watch watch = Watch.start(scan, top.wanted, holdfast)) {
            Optional<TopTerminal> opened = joined(terminal).flatMap(present -> {
                joined(watch.firstSecond());
                return TopTerminal.open(present);
            });
            return opened.isPresent()
                    ? top.onTerminal(opened.get(), watch, holdfast, LockScan.hosts(address))
                    : top.once(watch);
        } finally {
            connecting.thenAccept(Holdfast::close);
        }
    }

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private int once(Watch watch) {
        joined(watch.firstRound());
        Snapshot snapshot = watch.snapshot();
        snapshot.notes().forEach(console::say);
        List<Entry> entries = order.sorted(snapshot.entries());
        if (isJson) {
            console.print(EntryJson.of(entries, snapshot.at()));
        } else {
            EntryTable.lines(entries, snapshot.at(), EntryTable.UNLIMITED).forEach(console::print);
        }
        return ExitCode.OK.code();
    }

    private int onTerminal(TopTerminal opened, Watch watch, Holdfast holdfast, String hosts) {
        try (TopTerminal terminal = opened) {
            return new TopLoop(terminal, watch, holdfast, hosts).run(signals, order);
        } catch (IOException e) {
            console.say("the terminal cannot be used: " + e.getMessage());
            return ExitCode.USAGE.code();
        }
    }
}
