package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.ObservationContextAssert;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Calls under locks are observed: the outcome is a tag for meters, the name of the lock one for traces alone. */
final class LockedObservationTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final ApplicationContextRunner unobserved = application.runner().withBean(Service.class);
    private final ApplicationContextRunner runner = unobserved.withBean(ObservationRegistry.class, () -> observations);

    @BeforeEach
    void clear() {
        observations.clear();
    }

    private void assertObserved(String outcome) {
        observed(outcome).doesNotHaveError();
        observations.clear();
    }

    private void assertObserved(String outcome, Class<? extends Throwable> error) {
        observed(outcome).thenError().isInstanceOf(error);
        observations.clear();
    }

    private ObservationContextAssert<?> observed(String outcome) {
        return TestObservationRegistryAssert.assertThat(observations)
                .hasSingleObservationThat()
                .hasNameEqualTo("holdfast.locked")
                .hasBeenStarted()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", outcome)
                .hasLowCardinalityKeyValue("name", "observed")
                .hasHighCardinalityKeyValue("lock", "observed:7")
                .doesNotHaveLowCardinalityKeyValueWithKey("lock");
    }

    /** Each outcome of a call has its name, and a call that failed has its error. */
    @Test
    void outcome_isTag() {
        runner.run(context -> {
            Service service = context.getBean(Service.class);
            service.run(
                    7, () -> assertThat(observations.getCurrentObservation()).isNotNull());
            assertObserved("completed");
            assertThatThrownBy(() -> service.run(7, () -> {
                        throw new UnsupportedOperationException();
                    }))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertObserved("failed", UnsupportedOperationException.class);
            assertThatThrownBy(() -> service.run(7, () -> application.delete("observed:7")))
                    .hasMessageContaining("lost");
            assertObserved("lost", LeaseLostException.class);
            application.rival().getLock("observed:7").runLocked(() -> assertThatThrownBy(() -> service.run(7, () -> {}))
                    .isInstanceOf(LockBusyException.class));
            assertObserved("busy", LockBusyException.class);
            assertThat(observations.getCurrentObservation()).isNull();
        });
    }

    /** A call with a future is observed until that completes. */
    @Test
    void future_isObserved() {
        runner.run(context -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = context.getBean(Service.class).future(7, () -> work);
            TestObservationRegistryAssert.assertThat(observations)
                    .hasSingleObservationThat()
                    .isNotStopped();
            assertThat(observations.getCurrentObservation()).isNull();
            work.complete("x");
            assertThat(result.join()).isEqualTo("x");
            assertObserved("completed");
        });
    }

    /** Each way in which a future may fail has its outcome; the error is that of the stage that failed first. */
    @Test
    void future_outcomeIsTag() {
        runner.run(context -> {
            Service service = context.getBean(Service.class);
            CompletableFuture<String> failed = service.future(7, () -> dependent(new UnsupportedOperationException()));
            assertThatThrownBy(failed::join).hasCauseInstanceOf(UnsupportedOperationException.class);
            assertObserved("failed", UnsupportedOperationException.class);
            CompletableFuture<String> inner = service.future(7, () -> dependent(loss()));
            assertThatThrownBy(inner::join).hasCauseInstanceOf(LeaseLostException.class);
            assertObserved("lost", LeaseLostException.class);
            CompletableFuture<String> lost = service.future(7, () -> {
                application.delete("observed:7");
                return CompletableFuture.completedFuture("x");
            });
            assertThatThrownBy(lost::join).hasCauseInstanceOf(LeaseLostException.class);
            assertObserved("lost", LeaseLostException.class);
        });
    }

    /** A call that returns no future, as it throws or its lock is busy, has its outcome and its error as well. */
    @Test
    void future_notReturned() {
        runner.run(context -> {
            Service service = context.getBean(Service.class);
            assertThatThrownBy(() -> service.future(7, () -> {
                        throw new UnsupportedOperationException();
                    }))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertObserved("failed", UnsupportedOperationException.class);
            assertThatThrownBy(() -> service.future(7, () -> {
                        throw loss();
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertObserved("lost", LeaseLostException.class);
            application.rival().getLock("observed:7").runLocked(() -> assertThatThrownBy(
                            () -> service.future(7, () -> CompletableFuture.completedFuture("x")))
                    .isInstanceOf(LockBusyException.class));
            assertObserved("busy", LockBusyException.class);
        });
    }

    private static CompletableFuture<String> dependent(Throwable failure) {
        return CompletableFuture.<String>failedFuture(failure).thenApply(text -> text);
    }

    /** {@return the loss of another lock, which the method may hold as well} */
    private static LeaseLostException loss() {
        Lease lease = application.rival().getLock("other").acquire();
        application.delete("other");
        return assertThrows(LeaseLostException.class, lease::close);
    }

    /** A call that has not ended has an outcome of its own, in the meter of running calls as well, and with the same keys. */
    @Test
    void running_hasNoOutcomeYet() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        runner.run(context -> {
            context.getBean(Service.class)
                    .run(7, () -> assertThat(activeTasks(meters)).isEqualTo(Map.of("unknown", 1)));
            assertThat(activeTasks(meters)).isEmpty();
            assertThat(meters.get("holdfast.locked")
                            .tag("outcome", "completed")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.find("holdfast.locked").timers()).hasSize(1);
        });
    }

    /** The meters tell methods apart by the name of their lock, and have descriptions, the help texts of Prometheus. */
    @Test
    void meters_areNamedAndDescribed() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        runner.withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> meters)
                .run(context -> {
                    context.getBean(Service.class)
                            .run(7, () -> assertDescribed(meters.get("holdfast.locked.active"), "that wait or run"));
                    assertDescribed(meters.get("holdfast.locked"), "from the request of the lock to its release");
                });
    }

    private static void assertDescribed(RequiredSearch meter, String words) {
        assertThat(meter.tag("name", "observed").meter().getId().getDescription())
                .contains("methods with @Locked", words);
    }

    /** {@return how many calls run at present, by the outcome that they have in the meter} */
    private static Map<String, Integer> activeTasks(MeterRegistry meters) {
        return meters.find("holdfast.locked.active").longTaskTimers().stream()
                .filter(timer -> timer.activeTasks() > 0)
                .collect(Collectors.toMap(
                        timer -> Objects.requireNonNull(timer.getId().getTag("outcome")), LongTaskTimer::activeTasks));
    }

    /** A handler of observations that fails at the end of a call hides neither its result nor its failure. */
    @Test
    void handler_failsAtEnd() {
        RuntimeException ofMethod = new UnsupportedOperationException();
        observations.observationConfig().observationHandler(new FailingHandler(new AssertionError("of a handler")));
        runner.run(context -> {
            Service service = context.getBean(Service.class);
            AtomicInteger calls = new AtomicInteger();
            service.run(7, calls::incrementAndGet);
            assertThat(calls).hasValue(1);
            assertThatThrownBy(() -> service.run(7, () -> {
                        throw ofMethod;
                    }))
                    .isSameAs(ofMethod);
            assertThat(service.future(7, () -> CompletableFuture.completedFuture("x")))
                    .succeedsWithin(Duration.ofSeconds(20))
                    .isEqualTo("x");
            assertThat(service.future(7, () -> CompletableFuture.failedFuture(ofMethod)))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(ofMethod);
            assertThat(service.reactive(7, Mono.just("x")).block(Duration.ofSeconds(20)))
                    .isEqualTo("x");
            assertThat(application.isLocked("observed:7")).isFalse();
            assertThat(observations.getCurrentObservation()).isNull();
        });
    }

    /** Throws when an observation or its scope ends. */
    private record FailingHandler(Error failure) implements ObservationHandler<Observation.Context> {
        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            throw failure;
        }

        @Override
        public void onStop(Observation.Context context) {
            throw failure;
        }
    }

    /** A subscription is observed until it ends; the observation has stopped when the subscriber sees the end. */
    @Test
    void subscription_isObserved() {
        runner.run(context -> {
            Mono<String> result = context.getBean(Service.class).reactive(7, Mono.just("x"));
            TestObservationRegistryAssert.assertThat(observations).doesNotHaveAnyObservation();
            assertThat(result.block()).isEqualTo("x");
            assertObserved("completed");
        });
    }

    /** Each way in which a subscription may end has its outcome. */
    @Test
    void subscription_outcomeIsTag() {
        runner.run(context -> {
            Service service = context.getBean(Service.class);
            assertThatThrownBy(() -> service.reactive(7, Mono.error(new UnsupportedOperationException()))
                            .block())
                    .isInstanceOf(UnsupportedOperationException.class);
            assertObserved("failed", UnsupportedOperationException.class);
            service.reactive(7, Mono.never()).subscribe().dispose();
            assertObserved("failed");
            application.rival().getLock("observed:7").runLocked(() -> assertThatThrownBy(
                            () -> service.reactive(7, Mono.just("x")).block())
                    .isInstanceOf(LockBusyException.class));
            assertObserved("busy", LockBusyException.class);
            assertThatThrownBy(() -> service.reactive(7, Mono.fromRunnable(() -> application.delete("observed:7")))
                            .block())
                    .isInstanceOf(LeaseLostException.class);
            assertObserved("lost", LeaseLostException.class);
        });
    }

    /** Calls with permits have an observation of their own. */
    @Test
    void limited_isObserved() {
        runner.run(context -> {
            context.getBean(Service.class).limited(7);
            TestObservationRegistryAssert.assertThat(observations)
                    .hasSingleObservationThat()
                    .hasNameEqualTo("holdfast.limited")
                    .hasLowCardinalityKeyValue("outcome", "completed")
                    .hasLowCardinalityKeyValue("name", "observed")
                    .hasHighCardinalityKeyValue("semaphore", "observed:7");
        });
    }

    /** Without a registry, or without Micrometer on the class path, nothing is observed. */
    @Test
    void observation_isOptional() {
        unobserved.run(context -> context.getBean(Service.class).run(7, () -> {}));
        application
                .runner()
                .withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
                .run(context -> assertThat(context)
                        .hasSingleBean(LockedObservation.Source.class)
                        .doesNotHaveBean(MicrometerObservations.class));
    }

    static class Service {
        @Locked(name = "observed", key = "#id", waitFor = "0")
        public void run(int id, Runnable body) {
            assertThat(id).isPositive();
            body.run();
        }

        @Locked(name = "observed", key = "#id", waitFor = "0")
        public CompletableFuture<String> future(int id, Supplier<CompletableFuture<String>> work) {
            assertThat(id).isPositive();
            return work.get();
        }

        @Locked(name = "observed", key = "#id", waitFor = "0")
        public Mono<String> reactive(int id, Mono<String> work) {
            return work.filter(text -> id > 0);
        }

        @Limited(name = "observed", key = "#id", permits = "2")
        public void limited(int id) {
            assertThat(id).isPositive();
        }
    }
}
