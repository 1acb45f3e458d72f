package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Draws what is seen, and passes on what is pressed, until the user or a signal ends it. */
final class TopLoop {
    /** What is seen changes once a second: it is drawn at most so much later. */
    private static final long POLL_MILLIS = 100;

    private final TopTerminal terminal;
    private final Watch watch;
    private final Holdfast holdfast;
    private final String hosts;
    private final AtomicReference<@Nullable SignalName> signal = new AtomicReference<>();

    /** What was forced open, with what has come of it; null if nothing is being. */
    private @Nullable CompletableFuture<String> forced;

    TopLoop(TopTerminal terminal, Watch watch, Holdfast holdfast, String hosts) {
        this.terminal = terminal;
        this.watch = watch;
        this.holdfast = holdfast;
        this.hosts = hosts;
    }

    /** {@return the exit code} */
    int run(Signals signals, EntryOrder order) throws IOException {
        signals.deliverTo(signal::set);
        TopView view = TopView.initial(order);
        while (true) {
            SignalName received = signal.get();
            if (received != null) {
                return ExitCode.SIGNAL.code() + received.number();
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
                        return ExitCode.OK.code();
                    }
                    case INTERRUPT -> {
                        return ExitCode.SIGNAL.code() + SignalName.INT.number();
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
