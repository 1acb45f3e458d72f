package dev.holdfast.cli.top;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * The terminal on which {@code top} draws, on its second screen: when it is closed, the first one is as it was. Used by one thread.
 */
public final class TopTerminal implements AutoCloseable {
    /** What belongs to one key arrives together. */
    private static final long REST_OF_KEY_MILLIS = 50;

    private final Terminal terminal;
    private final Attributes before;
    private final Display display;
    private final AtomicBoolean isResized = new AtomicBoolean();
    private Size size;

    private TopTerminal(Terminal terminal) {
        this.terminal = terminal;
        this.before = terminal.enterRawMode();
        this.display = new Display(terminal, true);
        this.size = terminal.getSize();
        display.resize(size);
        display.clear(); // wherever the cursor is
        Attributes raw = terminal.getAttributes();
        raw.setLocalFlags(EnumSet.of(Attributes.LocalFlag.ISIG), false); // Ctrl-C is a key, and Ctrl-Z is none
        terminal.setAttributes(raw);
        terminal.handle(Signal.WINCH, signal -> isResized.set(true));
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        terminal.flush();
    }

    /** {@return the terminal of the process, as it is} If its output or its input is none, it has no cursor. */
    public static Terminal ofProcess() {
        try {
            return TerminalBuilder.builder()
                    .system(true)
                    .provider(TerminalBuilder.PROP_PROVIDER_EXEC)
                    .dumb(true)
                    .graphemeCluster(false)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the terminal, on its second screen; empty if it has no cursor} */
    public static Optional<TopTerminal> open(Terminal terminal) {
        return terminal.getStringCapability(Capability.cursor_address) == null
                ? Optional.empty()
                : Optional.of(new TopTerminal(terminal));
    }

    /** Takes note of a new size, for which all is drawn again. */
    void followSize() {
        if (isResized.getAndSet(false)) {
            size = terminal.getSize();
            display.resize(size);
            display.clear();
        }
    }

    int width() {
        return size.getColumns();
    }

    int height() {
        return size.getRows();
    }

    /** Draws what differs from the screen before. */
    void draw(List<TopScreen.Line> lines) {
        display.update(lines.stream().map(TopTerminal::styled).toList(), -1);
        terminal.flush();
    }

    private static AttributedString styled(TopScreen.Line line) {
        AttributedStyle plain = AttributedStyle.DEFAULT;
        return new AttributedString(
                line.text(),
                switch (line.style()) {
                    case PLAIN -> plain;
                    case HEADING -> plain.bold();
                    case SELECTED -> plain.inverse();
                    case WARNING -> plain.bold().foreground(AttributedStyle.RED);
                    case FAINT -> plain.faint();
                });
    }

    /**
     * {@return the next key that is pressed; empty if none is, for so long}
     *
     * @throws IOException if the terminal is gone
     */
    Optional<Key> read(long millis) throws IOException {
        int first = terminal.reader().read(millis);
        if (first == NonBlockingReader.READ_EXPIRED) {
            return Optional.empty();
        }
        StringBuilder code = new StringBuilder();
        for (int next = first;
                next != NonBlockingReader.READ_EXPIRED;
                next = terminal.reader().read(REST_OF_KEY_MILLIS)) {
            if (next == NonBlockingReader.EOF) {
                throw new IOException("the terminal is gone");
            }
            code.append((char) next);
            if (Key.isComplete(code.toString())) {
                break;
            }
        }
        return Optional.of(Key.decode(code.toString()));
    }

    @Override
    public void close() throws IOException {
        terminal.puts(Capability.cursor_normal);
        terminal.puts(Capability.exit_ca_mode);
        terminal.flush();
        terminal.setAttributes(before);
        terminal.close();
    }
}
