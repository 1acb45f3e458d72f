package dev.holdfast.cli;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.Holdfast;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code holdfast latch}: sets the count of a latch, counts it down, or waits until it is zero.
 *
 * @param action {@code set}, {@code down} or {@code wait}
 * @param name of the latch
 * @param count to set, or to count down by; without meaning for {@code wait}
 * @param waitFor how long to wait; empty for ever
 * @param lifetime of the count that is set; empty for the default
 */
record LatchCommand(String action, String name, long count, Optional<Duration> waitFor, Optional<Duration> lifetime) {
    /**
     * {@return what is to be done}
     *
     * @throws UsageException if there is no such action, or it needs an operand, or takes none or no such option
     */
    static LatchCommand of(CommandLine line) {
        String action = line.operands().get(0);
        List<String> count = line.operands().subList(2, line.operands().size());
        switch (action) {
            case "set" -> require(!count.isEmpty(), "latch set needs COUNT");
            case "down" -> {}
            case "wait" -> require(count.isEmpty(), "latch wait takes no COUNT");
            default -> throw new UsageException("latch needs set, down or wait, was '" + action + "'");
        }
        require(action.equals("wait") || !line.has(Option.WAIT), "latch " + action + " has no option --wait");
        require(action.equals("set") || !line.has(Option.LIFETIME), "latch " + action + " has no option --lifetime");
        return new LatchCommand(
                action,
                line.operands().get(1),
                count.isEmpty() ? 1 : count(count.get(0)),
                line.duration(Option.WAIT),
                line.duration(Option.LIFETIME));
    }

    private static void require(boolean isRight, String message) {
        if (!isRight) {
            throw new UsageException(message + ": " + Command.LATCH.synopsis());
        }
    }

    private static long count(String text) {
        require(text.matches("[1-9]\\d{0,8}"), "COUNT must be a positive number, was '" + text + "'");
        return Long.parseLong(text);
    }

    int execute(Holdfast holdfast, Signals signals, Console console) {
        DistributedCountDownLatch latch = holdfast.getCountDownLatch(name);
        switch (action) {
            case "set" ->
                lifetime.ifPresentOrElse(life -> latch.trySetCount(count, life), () -> latch.trySetCount(count));
            case "down" -> latch.countDown(count);
            default -> {
                return await(latch, signals, console);
            }
        }
        return ExitCode.OK.code();
    }

    private int await(DistributedCountDownLatch latch, Signals signals, Console console) {
        CompletableFuture<SignalName> signal = new CompletableFuture<>();
        signals.deliverTo(signal::complete);
        CompletableFuture<Boolean> isOpen = waitFor.map(latch::awaitAsync)
                .orElseGet(() -> latch.awaitAsync().thenApply(none -> true));
        Object first = CompletableFuture.anyOf(signal, isOpen).join();
        if (first instanceof SignalName received) {
            return ExitCode.SIGNAL.code() + received.number();
        }
        if (isOpen.join()) {
            return ExitCode.OK.code();
        }
        console.say("latch '" + name + "' has not been counted down to zero");
        return ExitCode.BUSY.code();
    }
}
