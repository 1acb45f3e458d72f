package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import java.util.List;
import java.util.Optional;

/** The program, without its process: parses a command line, executes it, and returns the exit code. */
final class Cli {
    private final Console console;
    private final Signals signals;

    Cli(Console console, Signals signals) {
        this.console = console;
        this.signals = signals;
    }

    /** {@return the exit code} What a user can do wrong, and what Redis can, is a message and an exit code. */
    int execute(List<String> words) throws InterruptedException {
        try {
            return execute(Parser.parse(words));
        } catch (RuntimeException e) {
            ExitCode code = Failures.exitCode(e);
            console.say(Failures.message(e));
            return code.code();
        }
    }

    private int execute(CommandLine line) throws InterruptedException {
        return switch (line.command()) {
            case HELP -> help(line);
            case RUN -> run(line);
            case LS -> {
                HoldfastBuilder client = builder(line);
                yield LsCommand.execute(line, address(line), client::build, console);
            }
            case WHO -> {
                try (Holdfast holdfast = connect(line)) {
                    yield WhoCommand.execute(line, holdfast, console);
                }
            }
            case CHECK -> {
                String address = RedisAddress.operandOr(line, console.environment());
                Clients.builder(address); // refuses one that is malformed
                yield CheckCommand.execute(line, address, console);
            }
            case TOP -> TopCommand.execute(line, address(line), builder(line), signals, console);
            case RELEASE -> {
                ReleaseCommand.requireForce(line);
                try (Holdfast holdfast = connect(line)) {
                    yield ReleaseCommand.execute(line, holdfast);
                }
            }
            case AWAIT -> await(line);
            case LATCH -> {
                LatchCommand latch = LatchCommand.of(line);
                try (Holdfast holdfast = connect(line)) {
                    yield latch.execute(holdfast, signals, console);
                }
            }
        };
    }

    private int help(CommandLine line) {
        if (line.has(Option.VERSION)) {
            console.print("holdfast "
                    + Optional.ofNullable(Cli.class.getPackage().getImplementationVersion())
                            .orElse("(development)"));
            return ExitCode.OK.code();
        }
        Optional<Command> about = line.operands().stream().findFirst().map(Parser::commandNamed);
        console.out().print(about.map(Help::of).orElseGet(Help::overview));
        console.out().flush();
        return ExitCode.OK.code();
    }

    private int run(CommandLine line) throws InterruptedException {
        RunSettings settings = RunSettings.of(line);
        String label = line.text(Option.LABEL).orElseGet(() -> Clients.label(console.environment()));
        return Run.execute(settings, Clients.builder(address(line)).label(label), signals, console);
    }

    private int await(CommandLine line) {
        var wait = line.duration(Option.WAIT);
        try (Holdfast holdfast = connect(line)) {
            return WaitCommand.execute(line, wait, holdfast, signals, console);
        }
    }

    private Holdfast connect(CommandLine line) {
        return builder(line).build();
    }

    private HoldfastBuilder builder(CommandLine line) {
        return Clients.builder(address(line)).label(Clients.label(console.environment()));
    }

    private String address(CommandLine line) {
        return RedisAddress.find(line, console.environment());
    }
}
