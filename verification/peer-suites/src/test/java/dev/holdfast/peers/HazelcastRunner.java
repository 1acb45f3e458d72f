package dev.holdfast.peers;

import java.lang.annotation.Annotation;
import java.util.Optional;
import org.junit.Ignore;
import org.junit.runner.Description;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;

/** Runs Hazelcast's suites, whose skipped tests it reports as ignored, with the reason. */
public final class HazelcastRunner extends BlockJUnit4ClassRunner {
    public HazelcastRunner(Class<?> testClass) throws InitializationError {
        super(testClass);
    }

    private static Optional<String> reasonToSkip(FrameworkMethod test) {
        return PeerSuite.reasonToSkip(test.getMethod());
    }

    @Override
    protected boolean isIgnored(FrameworkMethod test) {
        return reasonToSkip(test).isPresent();
    }

    @Override
    protected Description describeChild(FrameworkMethod test) {
        Description described = super.describeChild(test);
        return reasonToSkip(test)
                .map(reason -> Description.createTestDescription(
                        described.getTestClass(), described.getMethodName(), new Ignored(reason)))
                .orElse(described);
    }

    private record Ignored(String value) implements Ignore {
        @Override
        public Class<? extends Annotation> annotationType() {
            return Ignore.class;
        }
    }
}
