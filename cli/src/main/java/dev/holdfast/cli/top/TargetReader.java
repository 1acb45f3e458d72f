package dev.holdfast.cli.top;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.found.FoundLock;
import dev.holdfast.cli.found.FoundSemaphore;
import dev.holdfast.cli.found.Target;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Reads what is in use, without waiting: many names at once. It changes nothing. The library's own look at a latch would renew its
 * life, so that the count is read as {@code docs/design/latch.md} describes it.
 *
 * @param holdfast reads locks and semaphores
 * @param commands for latches
 */
record TargetReader(Holdfast holdfast, RedisClusterAsyncCommands<String, String> commands) {
    /** How many commands a target takes at most: a lock its state, its subscribers and its conditions. */
    static final int COMMANDS = 3;

    private static final String RECORD = "holdfast_latch:{";

    /**
     * {@return its entries; empty if it is not in use} Fails with a {@link dev.holdfast.WrongKindException} if it is the other sort of
     * lock.
     */
    CompletableFuture<List<Entry>> read(Target target, boolean isReadWrite) {
        String name = target.name();
        return switch (target.kind()) {
            case LOCK, CONDITIONS ->
                (isReadWrite
                                ? holdfast.getReadWriteLock(name).inspectAsync()
                                : holdfast.getLock(name).inspectAsync())
                        .thenApply(info -> FoundEntries.of(new FoundLock(info, isReadWrite)));
            case SEMAPHORE ->
                holdfast.getSemaphore(name, 1)
                        .inspectAsync()
                        .thenApply(FoundSemaphore::new)
                        .thenApply(FoundEntries::of);
            case LATCH -> latch(name);
        };
    }

    /** A string without the record of a latch is that of another program, and a key of another type no latch. */
    private CompletableFuture<List<Entry>> latch(String name) {
        CompletableFuture<Optional<String>> state = commands.hget(RECORD + name + "}", "state")
                .thenApply(Optional::ofNullable)
                .toCompletableFuture();
        CompletableFuture<Optional<String>> count =
                commands.get(name).thenApply(Optional::ofNullable).toCompletableFuture();
        CompletableFuture<Long> lease = commands.pttl(name).toCompletableFuture();
        return CompletableFuture.allOf(state, count, lease)
                .thenApply(all -> state.join().flatMap(ours -> count.join()).stream()
                        .filter(number -> number.matches("\\d{1,18}"))
                        .map(number -> latch(name, number, lease.join()))
                        .toList())
                .exceptionally(failure -> {
                    if (isOfAnotherType(failure)) {
                        return List.of();
                    }
                    throw failure instanceof CompletionException known ? known : new CompletionException(failure);
                });
    }

    private static Entry latch(String name, String count, long leaseMillis) {
        Optional<Duration> lease = leaseMillis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(leaseMillis));
        return FoundEntries.latch(name, Long.parseLong(count), lease);
    }

    private static boolean isOfAnotherType(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof RedisCommandExecutionException
                && String.valueOf(cause.getMessage()).startsWith("WRONGTYPE");
    }
}
