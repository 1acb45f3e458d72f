package dev.holdfast.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows why the application has no client, and what to change. */
final class HoldfastStartFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastStartException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, HoldfastStartException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}
