package dev.holdfast.cli.top;

import dev.holdfast.LockException;
import dev.holdfast.cli.found.ScannedNode;
import dev.holdfast.cli.found.Target;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScanCursor;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches one node for what is in use, and reads that, second by second within a {@link NodeBudget}: half of it at most for what is
 * known, the other for the search, and what is left for what was found. One thread executes the seconds.
 */
final class NodeWatch {
    private final ScannedNode node;
    private final Wanted wanted;
    private final TargetReader reader;
    private final LongSupplier nanoTime;
    private final NodeBudget budget;
    private final KnownTargets known = new KnownTargets();
    private final Deque<String> candidates = new ArrayDeque<>();
    private final CompletableFuture<Void> firstSecond = new CompletableFuture<>();
    private final CompletableFuture<Void> firstRound = new CompletableFuture<>();
    private final AtomicReference<NodeView> view = new AtomicReference<>(NodeView.UNKNOWN);

    private ScanCursor cursor = ScanCursor.INITIAL;
    private boolean isSearching;
    private boolean hasSearched;
    private long keys;
    private @Nullable String refusal;

    NodeWatch(ScannedNode node, Wanted wanted, TargetReader reader, LongSupplier nanoTime) {
        this.node = node;
        this.wanted = wanted;
        this.reader = reader;
        this.nanoTime = nanoTime;
        this.budget = new NodeBudget(nanoTime);
        isSearching = wanted.isSearch();
        if (!isSearching) {
            readNames();
        }
    }

    private void readNames() {
        hasSearched = true;
        wanted.targets().forEach(target -> known.add(target, true, nanoTime.getAsLong()));
    }

    NodeBudget budget() {
        return budget;
    }

    /** {@return what was seen at the end of the last second} */
    NodeView view() {
        return view.get();
    }

    /** {@return completed at the end of the first second; failed if nothing could be read} */
    CompletableFuture<Void> firstSecond() {
        return firstSecond;
    }

    /** {@return completed when all keys were looked at once, and what is in use was read; failed if that is not possible} */
    CompletableFuture<Void> firstRound() {
        return firstRound;
    }

    /** Executes a second, if the last one is over. */
    void second() {
        if (!budget.begin()) {
            return;
        }
        try {
            requireConnected();
            known.beginRound(nanoTime.getAsLong());
            refresh(NodeBudget.COMMANDS_PER_SECOND / 2);
            search();
            refresh(0);
            publish(Optional.empty());
            firstSecond.complete(null);
            if (hasSearched && known.areRead()) {
                firstRound.complete(null);
            }
        } catch (RedisException | LockException e) {
            publish(Optional.of(String.valueOf(e.getMessage())));
            firstSecond.completeExceptionally(e);
            firstRound.completeExceptionally(e);
        }
    }

    /** An error is a reply, too. */
    private void requireConnected() {
        budget.spend(1, () -> {
            try {
                ScannedNode.join(node.commands().ping());
            } catch (RedisCommandExecutionException e) {
                // It is connected.
            }
        });
    }

    /** Reads what was not read in this second, until so many commands are left. */
    private void refresh(int left) {
        while (budget.commandsLeft() > left) {
            List<Target> batch = known.next(budget.nextBatch(TargetReader.COMMANDS));
            if (batch.isEmpty()) {
                return;
            }
            budget.spend(batch.size() * TargetReader.COMMANDS, () -> read(batch));
        }
    }

    private void read(List<Target> batch) {
        List<CompletableFuture<List<Entry>>> replies = batch.stream()
                .map(target -> reader.read(target, known.isReadWrite(target)))
                .toList();
        for (int i = 0; i < batch.size(); i++) {
            try {
                known.noteRead(batch.get(i), ScannedNode.join(replies.get(i)), nanoTime.getAsLong());
            } catch (LockException | RedisException e) {
                known.noteFailure(batch.get(i), e);
            }
        }
    }

    /** Looks at all keys once, at most. */
    private void search() {
        boolean isOver = false;
        while (isSearching && !(isOver && candidates.isEmpty()) && budget.nextBatch(1) > 0) {
            try {
                if (candidates.isEmpty()) {
                    isOver = searchPage();
                } else {
                    lookAtCandidates();
                }
            } catch (RedisCommandExecutionException e) {
                refusal = String.valueOf(e.getMessage());
                isSearching = false;
                readNames();
                if (wanted.names().isEmpty()) {
                    throw e;
                }
            }
        }
        hasSearched |= isOver && candidates.isEmpty();
    }

    /** {@return whether it was the last page} */
    private boolean searchPage() {
        AtomicReference<KeyScanCursor<String>> reply = new AtomicReference<>();
        budget.spend(1, () -> reply.set(ScannedNode.join(node.page(cursor, wanted.ofKeys()))));
        KeyScanCursor<String> page = reply.get();
        keys += hasSearched ? 0 : ScannedNode.KEYS_PER_PAGE;
        for (String key : page.getKeys()) {
            Optional<Target> target = Target.named(key);
            if (target.isPresent()) {
                target.filter(found -> wanted.matches(found.name()))
                        .ifPresent(found -> known.add(found, false, nanoTime.getAsLong()));
            } else if (wanted.matches(key) && !known.isKnownLock(key)) {
                candidates.add(key);
            }
        }
        cursor = page.isFinished() ? ScanCursor.INITIAL : page;
        return page.isFinished();
    }

    private void lookAtCandidates() {
        List<String> batch = new ArrayList<>();
        for (int left = budget.nextBatch(1); left > 0 && !candidates.isEmpty(); left--) {
            batch.add(candidates.remove());
        }
        budget.spend(batch.size(), () -> node.locksAmong(batch)
                .forEach(name -> known.add(new Target(Target.Kind.LOCK, name), false, nanoTime.getAsLong())));
    }

    private void publish(Optional<String> lost) {
        view.set(new NodeView(
                Optional.of(Instant.now()),
                known.entries(),
                lost,
                Optional.ofNullable(refusal),
                known.failures(),
                hasSearched,
                keys));
    }
}
