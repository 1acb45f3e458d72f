package dev.holdfast.peers;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Reports the skipped tests of Curator's suites as skipped, with the reason. */
final class SkippedInCurator implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestMethod()
                .map(Method::getName)
                .flatMap(test ->
                        PeerSuite.CURATOR.reasonToSkip(test).or(() -> PeerSuite.CURATOR_READ_WRITE.reasonToSkip(test)))
                .map(ConditionEvaluationResult::disabled)
                .orElse(ConditionEvaluationResult.enabled("not skipped"));
    }
}
