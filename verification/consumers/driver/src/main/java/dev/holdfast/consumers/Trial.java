package dev.holdfast.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One program in a process of its own.
 *
 * @param name what is tried
 * @param java the Java to run it on
 * @param options what comes before the arguments, down to the class
 * @param arguments arguments of the program
 * @param environment variables that the process has besides those of this one
 */
record Trial(String name, Path java, List<String> options, List<String> arguments, Map<String, String> environment) {
    private static final long SECONDS = 120;

    /** {@return what is wrong, with the output of the process} */
    Optional<String> run() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(java.resolve("bin").resolve("java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.addAll(options);
        command.addAll(arguments);
        Path output = Files.createTempFile("consumer", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("HOLDFAST_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            String problem = !ended ? "did not end in " + SECONDS + " s" : "status " + process.exitValue();
            return ended && process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(name + ", " + java.getFileName() + ": " + problem + "\n" + Files.readString(output));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
        }
    }
}
