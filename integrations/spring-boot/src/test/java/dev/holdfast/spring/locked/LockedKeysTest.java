package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Lease;
import dev.holdfast.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** A key that is a collection stands for its elements, which are locked together. */
final class LockedKeysTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private static void with(Consumer<Service> test) {
        application.runner().withBean(Service.class).run(context -> test.accept(context.getBean(Service.class)));
    }

    private static boolean areLocked(String... keys) {
        return Arrays.stream(keys).allMatch(key -> application.isLocked("keys:" + key));
    }

    /** All different elements are locked while the method runs, and free afterwards. */
    @Test
    void elements_areLocked() {
        with(service -> {
            for (Object keys :
                    new Object[] {List.of(2, 1, 2), Set.of(1, 2), new Integer[] {2, 1}, new String[] {"1", "2"}}) {
                service.run(keys, () -> {
                    assertThat(areLocked("1", "2")).isTrue();
                    assertThat(CurrentLock.isHeld("keys:1")).isTrue();
                    assertThat(CurrentLock.isHeld("keys:2")).isTrue();
                });
                assertThat(application.isLocked("keys:1")).isFalse();
                assertThat(application.isLocked("keys:2")).isFalse();
            }
        });
    }

    /** If one of the locks is busy, the call has none, and its exception names them and how long it has waited. */
    @Test
    void oneBusy_noneIsHeld() {
        try (Lease busy = application.rival().getLock("keys:2").acquire()) {
            with(service -> {
                assertThatThrownBy(() -> service.run(List.of(2, 1), () -> {}))
                        .isInstanceOfSatisfying(LockBusyException.class, e -> {
                            assertThat(e.name()).isEqualTo("keys:1,keys:2");
                            assertThat(e.waited()).isPositive();
                            assertThat(e).hasMessageContaining(" ms");
                        });
                Eventually.await().until(() -> !application.isLocked("keys:1"));
            });
            assertThat(busy.isValid()).isTrue();
        }
    }

    /** One element is the plain lock of that element, which the thread enters again. */
    @Test
    void oneElement_isPlainLock() {
        with(service -> service.run(List.of(7, 7), () -> {
            assertThat(application.rival().getLock("keys:7").isLocked()).isTrue();
            service.run(7, () -> assertThat(CurrentLock.isHeld("keys:7")).isTrue());
        }));
    }

    /** A path is one thing, as before. */
    @Test
    void path_isOneKey() {
        with(service -> service.run(Path.of("a", "b"), () -> assertThat(CurrentLock.isHeld("keys:" + Path.of("a", "b")))
                .isTrue()));
    }

    /** An inner call for a lock that the thread has with others would wait for itself; so would one for several. */
    @Test
    void innerCall_isRefused() {
        with(service -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> service.run(List.of(1, 2), () -> service.run(2, () -> {})));
            assertThatIllegalStateException()
                    .isThrownBy(() -> service.run(2, () -> service.run(List.of(1, 2), () -> {})));
            service.run(
                    List.of(1, 2),
                    () -> service.run(
                            List.of(3, 4), () -> assertThat(areLocked("1", "4")).isTrue()));
            assertThat(application.isLocked("keys:2")).isFalse();
        });
    }

    /** Results that complete later hold all locks until then. */
    @Test
    void laterResults_holdAll() {
        with(service -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = service.future(List.of(1, 2), work);
            assertThat(areLocked("1", "2")).isTrue();
            work.complete("x");
            assertThat(result).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("x");
            assertThat(application.isLocked("keys:1")).isFalse();
            assertThat(service.mono(List.of(1, 2)).block(Duration.ofSeconds(20)))
                    .isEqualTo("x");
            assertThat(application.isLocked("keys:2")).isFalse();
        });
    }

    /** Each of several fenced locks has a token. */
    @Test
    void fenced_tokenOfEach() {
        with(service -> {
            service.fenced(List.of(1, 2), () -> {
                assertThat(CurrentLock.token("fenced:1")).isPositive();
                assertThat(CurrentLock.token("fenced:2")).isPositive();
                assertThatIllegalStateException()
                        .isThrownBy(CurrentLock::token)
                        .withMessageContaining("fenced:1,fenced:2");
            });
            service.fenced(List.of(1), () -> assertThat(CurrentLock.token()).isEqualTo(CurrentLock.token("fenced:1")));
        });
    }

    static List<Arguments> refused() {
        return Stream.<Object>of(
                        List.of(),
                        new String[0],
                        Arrays.asList(1, null),
                        new byte[] {1},
                        new int[] {1},
                        Map.of(1, 2),
                        List.of(new byte[1]),
                        new Object(),
                        List.of(new WithoutText()),
                        Stream.of(1))
                .map(key -> Arguments.of(key))
                .toList();
    }

    /** What has no text that identifies it is refused, by an exception that names the method. */
    @ParameterizedTest
    @MethodSource("refused")
    void others_areRefused(Object key) {
        with(service -> assertThatIllegalArgumentException()
                .isThrownBy(() -> service.run(key, () -> {}))
                .withMessageContainingAll("run(", "#key"));
    }

    /** An interface may have the annotation; the names of parameters are those of the class, which a failure lists. */
    @Test
    void interfaceKey_isOfClass() {
        application.runner().withBean(Renamed.class).run(context -> {
            Renamed api = context.getBean(Renamed.class);
            assertThat(api.first(3)).isTrue();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> api.named(3))
                    .withMessageContainingAll("named(", "#id", "[other]");
        });
    }

    /** So is a key that cannot be evaluated. */
    @Test
    void failure_namesMethod() {
        with(service -> assertThatIllegalArgumentException()
                .isThrownBy(() -> service.missing("x"))
                .withMessageContainingAll("missing(", "#name.size", "-parameters")
                .withCauseInstanceOf(org.springframework.expression.EvaluationException.class));
    }

    /** An object with the text of {@link Object#toString()}, which no other process has for it. */
    private static final class WithoutText {
        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof WithoutText;
        }
    }

    interface Api {
        @Locked(name = "keys", key = "#p0")
        boolean first(int id);

        @Locked(name = "keys", key = "#id")
        boolean named(int id);
    }

    static class Renamed implements Api {
        @Override
        public boolean first(int other) {
            return application.isLocked("keys:" + other);
        }

        @Override
        public boolean named(int other) {
            return application.isLocked("keys:" + other);
        }
    }

    static class Service {
        @Locked(name = "keys", key = "#key", waitFor = "2s")
        public void run(Object key, Runnable body) {
            body.run();
        }

        @Locked(name = "fenced", key = "#key", fenced = true)
        public void fenced(Object key, Runnable body) {
            body.run();
        }

        @Locked(name = "keys", key = "#keys")
        public CompletableFuture<String> future(List<Integer> keys, CompletableFuture<String> work) {
            return work;
        }

        @Locked(name = "keys", key = "#keys", waitFor = "10s")
        public Mono<String> mono(List<Integer> keys) {
            return Mono.just("x");
        }

        @Locked(name = "keys", key = "#name.size")
        public @Nullable String missing(String name) {
            return name;
        }
    }
}
