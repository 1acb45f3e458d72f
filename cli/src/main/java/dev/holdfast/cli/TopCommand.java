package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.cli.found.LockScan;
import dev.holdfast.cli.top.EntryOrder;
import dev.holdfast.cli.top.Top;
import dev.holdfast.cli.top.TopTerminal;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jline.terminal.Terminal;

/** {@code holdfast top}: shows what is in use, again each second, or once. */
final class TopCommand {
    private final Console console;
    private final Signals signals;
    private final EntryOrder order;
    private final boolean isJson;

    private TopCommand(CommandLine line, Signals signals, Console console) {
        this.console = console;
        this.signals = signals;
        this.order = line.text(Option.ORDER).map(TopCommand::order).orElse(EntryOrder.HELD);
        this.isJson = line.has(Option.JSON);
    }

    private static EntryOrder order(String word) {
        return EntryOrder.named(word)
                .orElseThrow(() -> new UsageException(
                        Option.ORDER.longName() + " must be held, line or name, was '" + word + "'"));
    }

    /**
     * Connects the two clients, and looks for the terminal, at the same time.
     *
     * @throws UsageException if there is no such order
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a client that was not made is not closed
    static int execute(CommandLine line, String address, HoldfastBuilder client, Signals signals, Console console) {
        TopCommand command = new TopCommand(line, signals, console);
        boolean isOnce = line.has(Option.ONCE) || line.has(Option.JSON);
        CompletableFuture<Optional<Terminal>> terminal =
                CompletableFuture.supplyAsync(() -> isOnce ? Optional.empty() : Optional.of(TopTerminal.ofProcess()));
        CompletableFuture<Holdfast> connecting = CompletableFuture.supplyAsync(client::build);
        try (LockScan scan = LockScan.connect(RedisAddress.uris(address));
                Holdfast holdfast = joined(connecting);
                Top top = Top.start(scan, line.operands(), holdfast)) {
            Optional<TopTerminal> opened = joined(terminal).flatMap(present -> {
                joined(top.firstSecond());
                return TopTerminal.open(present);
            });
            return opened.isPresent()
                    ? command.onTerminal(opened.get(), top, RedisAddress.hosts(address))
                    : command.once(top);
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

    private int once(Top top) {
        joined(top.firstRound());
        Top.Printed printed = top.printed(order, isJson);
        printed.notes().forEach(console::say);
        printed.lines().forEach(console::print);
        return ExitCode.OK.code();
    }

    private int onTerminal(TopTerminal opened, Top top, String hosts) {
        AtomicReference<OptionalInt> signal = new AtomicReference<>(OptionalInt.empty());
        signals.deliverTo(received -> signal.set(OptionalInt.of(received.number())));
        try (TopTerminal terminal = opened) {
            OptionalInt ended = top.show(terminal, hosts, order, signal::get);
            return ended.isPresent() ? ExitCode.SIGNAL.code() + ended.getAsInt() : ExitCode.OK.code();
        } catch (IOException e) {
            console.say("the terminal cannot be used: " + e.getMessage());
            return ExitCode.USAGE.code();
        }
    }
}
