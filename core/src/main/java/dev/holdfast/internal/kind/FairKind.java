package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import org.jspecify.annotations.Nullable;

/**
 * The fair lock: a plain lock for which each owner has a place of its own in the line, so that it is granted in the order of
 * the owners of all clients. What is in Redis while it is held is that of a plain lock; the waiting differs.
 *
 * <p>It is not handed off past the line: a release grants it to the first owner in line, of whichever client. Nor is it left
 * free for those that only try. Redisson's clients, which cannot join the line, have their turns as with a plain lock.
 */
public final class FairKind extends PlainKind {
    public FairKind(@Nullable String label) {
        super(label, Unit.OWNER);
    }

    @Override
    public LockType type() {
        return LockType.FAIR;
    }
}
