package dev.holdfast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.Samples;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of {@code docs/conditions.md}, as it is there, in two processes: its first half produces, its second half consumes. */
@Tag("client")
@Tag("slow")
final class ConditionSampleTest {
    private static final Path PAGE = Path.of("..", "docs", "conditions.md");

    private static final int JOBS = 30;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    /** The consumer waits for the first job, the producer for room beside ten; each job is shipped once, and in its order. */
    @Test
    void sample_inTwoProcesses_shipsEachJobOnce(@TempDir Path classes) throws Exception {
        Samples.assertCompile(Map.of("dev/holdfast/client/Sample", sample()), classes);
        try (RedisServer redis = RedisServer.start()) {
            Process consumer = start("consume", redis, classes);
            Patience.await().until(() -> hasWaiter(redis, "not empty"));
            Process producer = start("produce", redis, classes);
            Patience.await().until(() -> hasWaiter(redis, "not full"));
            consumer.getOutputStream().close(); // it may ship
            assertThat(Patience.get(CompletableFuture.supplyAsync(() -> linesOf(consumer))))
                    .containsExactlyElementsOf(
                            IntStream.range(0, JOBS).mapToObj(Integer::toString).toList());
            for (Process process : processes) {
                assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                assertThat(process.exitValue()).isZero();
            }
            assertThat(linesOf(producer)).isEmpty();
        }
    }

    /** {@return what a process prints, when it has ended} */
    private static List<String> linesOf(Process process) {
        return process.inputReader(UTF_8).lines().toList();
    }

    private static boolean hasWaiter(RedisServer redis, String condition) {
        Object answer = redis.command("HEXISTS", "holdfast_condition:{jobs}", "queue:" + condition);
        return Objects.equals(answer, 1L);
    }

    /** {@return a program with the sample, whose declarations and both halves are paragraphs} */
    private static String sample() {
        String[] parts = Samples.of(PAGE).get(0).split("\n\n");
        assertThat(parts).hasSize(3);
        return """
                package dev.holdfast.client;

                import dev.holdfast.*;
                import io.lettuce.core.RedisClient;
                import java.util.Queue;
                import java.util.concurrent.locks.Condition;

                class Sample {
                    public static void main(String[] args) throws Exception {
                        try (Holdfast holdfast = Holdfast.connect(args[1]);
                                RedisClient client = RedisClient.create(args[1])) {
                            Queue<Object> jobs = new ListInRedis(client, "list of jobs");
                            %s
                            for (int number = 0; number < %d; number++) {
                                Object order = number;
                                if (args[0].equals("produce")) {
                                    %s
                                } else {
                                    %s
                                }
                            }
                        }
                    }

                    /** Returns when the test says so. */
                    static void ship(Object job) throws Exception {
                        System.out.println(job);
                        System.in.read();
                    }
                }
                """.formatted(parts[0], JOBS, parts[1], parts[2]);
    }

    private Process start(String role, RedisServer redis, Path classes) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path") + File.pathSeparator + classes,
                        "dev.holdfast.client.Sample",
                        role,
                        redis.uri())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }
}
