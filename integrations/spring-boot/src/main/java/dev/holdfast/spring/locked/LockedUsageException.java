package dev.holdfast.spring.locked;

import java.util.List;

/** Thrown when an application starts whose annotated methods could not keep their locks or permits. */
final class LockedUsageException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    LockedUsageException(List<String> violations) {
        super("@Locked and @Limited cannot be used as follows: " + String.join("; ", violations));
    }
}
