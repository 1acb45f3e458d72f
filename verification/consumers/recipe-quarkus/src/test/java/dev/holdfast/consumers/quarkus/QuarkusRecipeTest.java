package dev.holdfast.consumers.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumers.recipes.RecipeContract;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The recipe in an application that Quarkus has built: a process of its own, which a signal ends. */
class QuarkusRecipeTest extends RecipeContract {
    private static final int TERMINATED = 128 + 15;

    @Override
    protected Application start(String redisUri) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dholdfast.redis-uri=" + redisUri,
                        "-jar",
                        "target/quarkus-app/quarkus-run.jar")
                .redirectErrorStream(true)
                .start();
        BufferedReader output = process.inputReader();
        await("started", output);
        return new Application() {
            @Override
            public void ship() throws IOException {
                process.outputWriter().append(ORDER).append('\n').flush();
                await("ships", output);
            }

            @Override
            public void close() throws InterruptedException {
                process.toHandle().destroy();
                String rest = output.lines().collect(Collectors.joining("\n"));
                assertThat(process.waitFor()).as(rest).isEqualTo(TERMINATED);
            }
        };
    }

    private static void await(String event, BufferedReader output) throws IOException {
        List<String> log = new ArrayList<>();
        while (!log.contains(event)) {
            String line = output.readLine();
            if (line == null) {
                throw new IllegalStateException("the process has ended: " + log);
            }
            log.add(line);
        }
    }
}
