package dev.holdfast.cli.top;

import dev.holdfast.Holdfast;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Draws what is seen, and passes on what is pressed, until the user or a signal ends it. */
final class TopLoop {
    /** What is seen changes once a second: it is drawn at most so much later. */
    private static final long POLL_MILLIS = 100;

    private static final int SIGINT = 2;

    private final TopTerminal terminal;
    private final Watch watch;
    private final Holdfast holdfast;
    private final String hosts;

    /** What was forced open, with what has come of it; null if nothing is being. */
    private @Nullable CompletableFuture<String> forced;

    TopLoop(TopTerminal terminal, Watch watch, Holdfast holdfast, String hosts) {
        this.terminal = terminal;
        this.watch = watch;
        this.holdfast = holdfast;
        this.hosts = hosts;
    }

    /**
     * {@return the number of the signal that has ended it, which may have been typed; empty if the user quit}
     *
     * @param signal the one that the process has received, if any
     */
    OptionalInt run(Supplier<OptionalInt> signal, EntryOrder order) throws IOException {
        TopView view = TopView.initial(order);
        while (true) {
            OptionalInt received = signal.get();
            if (received.isPresent()) {
                return received;
            }
            Snapshot snapshot = watch.snapshot();
            view = noteForced(view);
            terminal.followSize();
            terminal.draw(TopScreen.lines(view, snapshot, hosts, terminal.width(), terminal.height()));
            Optional<Key> key = terminal.read(POLL_MILLIS);
            if (key.isPresent()) {
                TopView.Step step = view.press(key.get(), snapshot);
                view = step.view();
                switch (step.action()) {
                    case QUIT -> {
                        return OptionalInt.empty();
                    }
                    case INTERRUPT -> {
                        return OptionalInt.of(SIGINT);
                    }
                    case FORCE -> force(view);
                    case NOTHING -> {}
                }
            }
        }
    }

    /** On another thread: Redis may not answer, and the user may want to quit. */
    private void force(TopView view) {
        Forcing forcing = view.question().orElseThrow();
        forced = CompletableFuture.supplyAsync(() -> forcing.execute(holdfast));
    }

    private TopView noteForced(TopView view) {
        CompletableFuture<String> running = forced;
        if (running == null || !running.isDone()) {
            return view;
        }
        forced = null;
        return view.say(running.join());
    }
}
