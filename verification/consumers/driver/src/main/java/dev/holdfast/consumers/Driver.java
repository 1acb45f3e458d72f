package dev.holdfast.consumers;

import dev.holdfast.testkit.RedisServer;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Looks at the class paths of all consumers, and runs their programs. Arguments are the directory of the consumers, the
 * homes of Java, the versions of Spring Boot and those of Kotlin, separated as the entries of a path are; the first ones are tried
 * with everything. The status is 1 if anything is wrong.
 */
public final class Driver {
    private static final int SIDE_BY_SIDE = 3;

    private Driver() {}

    public static void main(String[] args) throws Exception {
        List<Path> javas =
                Stream.of(args[1].split(File.pathSeparator)).map(Path::of).toList();
        List<String> boots = List.of(args[2].split(File.pathSeparator));
        List<String> kotlins = List.of(args[3].split(File.pathSeparator));
        List<String> failures = new ArrayList<>();
        int count;
        try (RedisServer redis = RedisServer.start()) {
            Trials trials = new Trials(Path.of(args[0]), redis.uri());
            for (Path java : javas) {
                trials.addLibrary(java);
                for (String kotlin : kotlins) {
                    trials.addKotlin(java, kotlin.replaceFirst("/.*", ""));
                }
                for (String boot : boots) {
                    trials.addStarter(java, boot);
                }
            }
            for (String boot : boots) {
                trials.addBesideOthers(javas.get(0), boot);
            }
            trials.addMissing(javas.get(0), boots.get(0));
            trials.addRecipes();
            trials.classPaths().forEach(path -> failures.addAll(path.violations()));
            failures.addAll(failuresOf(trials.all()));
            count = trials.all().size();
        }
        failures.forEach(System.out::println);
        System.out.println(
                failures.isEmpty() ? count + " programs ran" : failures.size() + " failures, " + count + " programs");
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private static List<String> failuresOf(List<Trial> trials) throws Exception {
        ExecutorService runners = Executors.newFixedThreadPool(SIDE_BY_SIDE);
        List<Future<Optional<String>>> running = new ArrayList<>();
        trials.forEach(trial -> running.add(runners.submit(trial::run)));
        runners.shutdown();
        List<String> failures = new ArrayList<>();
        for (Future<Optional<String>> trial : running) {
            trial.get().ifPresent(failures::add);
        }
        return failures;
    }
}
