package dev.holdfast;

import dev.holdfast.testkit.StallDetector;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.opentest4j.TestAbortedException;

/** Runs a test of {@link RealTime}. Each attempt has an instance and fixtures of its own. */
class RealTimeExtension implements TestTemplateInvocationContextProvider {
    /** How often a test is run at most. */
    static final int MOST = 3;

    private final Supplier<Watch> watches;

    RealTimeExtension() {
        this(StallWatch::new);
    }

    RealTimeExtension(Supplier<Watch> watches) {
        this.watches = watches;
    }

    /** Watches whether the machine stops, from its creation on. */
    interface Watch {
        /** Ends the watch. {@return the longest time that the machine was stopped, zero if it was not} */
        Duration end();
    }

    private static final class StallWatch implements Watch {
        private final AtomicLong longestNanos = new AtomicLong();
        private final StallDetector detector = StallDetector.start(
                MachineStops.SHORTEST, (since, until) -> longestNanos.accumulateAndGet(until - since, Math::max));

        @Override
        public Duration end() {
            detector.close();
            return Duration.ofNanos(longestNanos.get());
        }
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Attempts(), Spliterator.ORDERED), false);
    }

    /** The attempts of one test. JUnit asks for the next one when the last one has ended. */
    private final class Attempts
            implements Iterator<TestTemplateInvocationContext>,
                    TestTemplateInvocationContext,
                    TestExecutionExceptionHandler {
        private int begun;
        private boolean isRepeated;
        private @Nullable Watch watch;

        @Override
        public boolean hasNext() {
            stopped();
            return begun == 0 || isRepeated;
        }

        @Override
        public TestTemplateInvocationContext next() {
            begun++;
            isRepeated = false;
            watch = watches.get();
            return this;
        }

        @Override
        public String getDisplayName(int index) {
            return "attempt " + index;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
            Duration stopped = stopped();
            if (stopped.isZero() || failure instanceof TestAbortedException || begun == MOST) {
                throw failure;
            }
            isRepeated = true;
            String what = "%s#%s: attempt %d of %d failed, and the machine had stopped for %d ms"
                    .formatted(
                            context.getRequiredTestClass().getSimpleName(),
                            context.getRequiredTestMethod().getName(),
                            begun,
                            MOST,
                            stopped.toMillis());
            System.out.println(what);
            throw new TestAbortedException(what, failure);
        }

        private Duration stopped() {
            Watch ended = watch;
            watch = null;
            return ended == null ? Duration.ZERO : ended.end();
        }
    }
}
