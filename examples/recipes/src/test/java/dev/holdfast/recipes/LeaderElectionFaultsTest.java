package dev.holdfast.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.Freezer;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The election among processes, of which one is paused for longer than its lease, and one is killed. */
@Tag("slow")
@Timeout(300)
final class LeaderElectionFaultsTest {
    private static final Duration PROCESS_STARTS = Duration.ofSeconds(60);

    private final RedisServer redis = RedisServer.builder().start();
    private final Holdfast observer = Holdfast.connect(redis.uri());
    private final List<Process> instances = new ArrayList<>();

    @AfterEach
    void stop() {
        instances.forEach(Process::destroyForcibly);
        observer.close();
        redis.close();
    }

    /**
     * Each time the other instance leads, by a larger token. A leader that was paused ends the step in which it was, and does no
     * further one: that step is the one that fencing is for. A leader that stops leaves the lock free.
     */
    @Test
    void pauseAndDeath_changeTheLeader() throws IOException {
        Process first = start("first");
        awaitStepOf("first");
        Process second = start("second");
        awaitOneInLine();

        Freezer.freeze(first);
        awaitStepOf("second");
        Freezer.thaw(first);
        awaitOneInLine();
        second.destroyForcibly();
        awaitStepOf("first");
        first.getOutputStream().close();
        Eventually.await().until(() -> !first.isAlive());

        assertThat(observer.getFencedLock(ElectedInstance.LOCK).isLocked()).isFalse();
        List<Long> tokens = tokens();
        assertThat(tokens.stream().distinct()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(lateSteps(tokens)).doesNotHaveDuplicates();
    }

    private Process start(String name) throws IOException {
        Process instance = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ElectedInstance.class.getName(),
                        redis.uri(),
                        name)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        instances.add(instance);
        return instance;
    }

    private void awaitStepOf(String name) {
        Eventually.await()
                .atMost(PROCESS_STARTS)
                .until(() -> redis.command("LINDEX", ElectedInstance.STEPS, "-1") instanceof String step
                        && step.startsWith(name));
    }

    /** Also of an instance that was paused, which shows that its term has ended. */
    private void awaitOneInLine() {
        Eventually.await()
                .atMost(PROCESS_STARTS)
                .until(() ->
                        observer.getFencedLock(ElectedInstance.LOCK).inspect().clientsInLine() == 1);
    }

    private List<Long> tokens() {
        return redis.command("LRANGE", ElectedInstance.STEPS, "0", "-1") instanceof List<?> steps
                ? steps.stream()
                        .map(step -> Long.valueOf(step.toString().replaceFirst(".* ", "")))
                        .toList()
                : List.of();
    }

    /** {@return the token of each step that was done after one of a later term} */
    private static List<Long> lateSteps(List<Long> tokens) {
        List<Long> late = new ArrayList<>();
        long latest = 0;
        for (long token : tokens) {
            if (token < latest) {
                late.add(token);
            }
            latest = Math.max(latest, token);
        }
        return late;
    }
}
