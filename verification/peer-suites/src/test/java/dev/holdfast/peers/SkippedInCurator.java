package dev.holdfast.peers;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Reports the skipped tests of Curator's suites as skipped, with the reason. */
final class SkippedInCurator implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestMethod()
                .flatMap(PeerSuite::reasonToSkip)
                .map(ConditionEvaluationResult::disabled)
                .orElse(ConditionEvaluationResult.enabled("not skipped"));
    }
}
