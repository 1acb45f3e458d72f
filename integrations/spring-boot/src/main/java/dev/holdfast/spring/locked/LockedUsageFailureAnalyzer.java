package dev.holdfast.spring.locked;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows which annotated methods are refused, and why. */
final class LockedUsageFailureAnalyzer extends AbstractFailureAnalyzer<LockedUsageException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockedUsageException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Change these methods or their annotations. To run all methods without their locks and permits, set"
                        + " 'holdfast.locked.enabled' to false.",
                cause);
    }
}
