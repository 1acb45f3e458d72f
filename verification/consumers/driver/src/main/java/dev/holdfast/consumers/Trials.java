package dev.holdfast.consumers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All programs, on each Java and each Spring Boot that they are tried on. */
final class Trials {
    private static final String SPRING = "dev.holdfast.consumers.SpringProgram";
    private static final String ALONE =
            "+holdfast +holdfastLockedAdvisor -holdfastHeldTransactions -holdfastHealth"
                    + " -holdfastEndpoint -holdfastMeters -holdfastLockRegistry";
    private static final String ALL =
            "+holdfast +holdfastLockedAdvisor +holdfastHeldTransactions +holdfastHealth"
                    + " +holdfastEndpoint +holdfastMeters +holdfastLockRegistry";

    private final List<Trial> all = new ArrayList<>();
    private final Map<Path, ClassPath> classPaths = new LinkedHashMap<>();
    private final Path consumers;
    private final String redis;

    Trials(Path consumers, String redis) {
        this.consumers = consumers;
        this.redis = redis;
    }

    List<Trial> all() {
        return all;
    }

    Collection<ClassPath> classPaths() {
        return classPaths.values();
    }

    void addLibrary(Path java) throws IOException {
        add("core", java, List.of("-cp", classPath("core", "target").toString(), "dev.holdfast.consumers.CoreProgram"));
        add(
                "module path",
                java,
                List.of(
                        "-p",
                        classPath("modules", "target").toString(),
                        "-m",
                        "dev.holdfast.consumers.modules/dev.holdfast.consumers.modules.ModularProgram"));
        add("micrometer", java, classPathOf("micrometer", "MicrometerProgram"));
        add("shedlock", java, classPathOf("shedlock", "ShedLockProgram"));
        add("guard-redis", java, classPathOf("guard-redis", "RedisGuardProgram"));
        add("guard-jdbc", java, classPathOf("guard-jdbc", "JdbcGuardProgram"));
        // Flight recordings are optional.
        add(
                "core without jdk.jfr",
                java,
                List.of(
                        "--limit-modules",
                        "java.base,java.logging,java.management,java.naming,jdk.unsupported",
                        "-cp",
                        classPath("core", "target").toString(),
                        "dev.holdfast.consumers.CoreProgram"));
    }

    void addKotlin(Path java, String version) throws IOException {
        ClassPath classPath = classPath("kotlin", "target/kotlin-" + version);
        add("kotlin " + version, java, List.of("-cp", classPath.toString(), "dev.holdfast.consumers.KotlinProgram"));
    }

    /** The address is in the environment of the process, which ahead-of-time processing has not seen. */
    void addStarter(Path java, String boot) throws IOException {
        for (String aot : List.of("false", "true")) {
            addSpring("starter", "", java, boot, aot, ALONE, Map.of("HOLDFAST_REDIS_URI", redis));
        }
    }

    /** So it is; an address of Spring Data's Redis is there as well. */
    void addBesideOthers(Path java, String boot) throws IOException {
        Map<String, String> elsewhere =
                Map.of("SPRING_DATA_REDIS_URL", "redis://127.0.0.1:1", "HOLDFAST_REDIS_URI", redis);
        Map<String, String> ofDataRedis = Map.of("SPRING_DATA_REDIS_URL", redis, "HOLDFAST_REDIS_URI", "");
        for (String aot : List.of("false", "true")) {
            addSpring("starter-data-redis", ", address of its own", java, boot, aot, "+holdfast", elsewhere);
            addSpring("starter-data-redis", ", address of Spring Data", java, boot, aot, "+holdfast", ofDataRedis);
            addSpring("starter-all", "", java, boot, aot, ALL, elsewhere);
            addSpring("starter-kotlin", "", java, boot, aot, "+holdfast", Map.of("HOLDFAST_REDIS_URI", redis));
        }
    }

    /** Each library that is optional is missing once, with those that need it themselves. */
    void addMissing(Path java, String boot) throws IOException {
        String data = "spring-boot-data-.*|spring-data-.*";
        String integration = "spring-integration-.*|spring-boot-integration";
        String meters = "micrometer-core|micrometer-jakarta9|spring-boot-micrometer-metrics";
        addMissing(
                "spring-tx",
                "spring-tx|spring-jdbc|spring-boot-(jdbc|sql|persistence|transaction)|" + data + "|" + integration,
                java,
                boot,
                "-holdfastHeldTransactions -holdfastLockRegistry");
        addMissing("data-redis", data, java, boot, "+holdfast");
        addMissing("spring-integration", integration, java, boot, "-holdfastLockRegistry");
        addMissing("actuator", "spring-boot-actuator.*", java, boot, "-holdfastEndpoint");
        addMissing("health", "spring-boot-health|spring-boot-actuator.*", java, boot, "-holdfastHealth");
        addMissing("holdfast-micrometer", "holdfast-micrometer", java, boot, "-holdfastMeters");
        addMissing("micrometer", "holdfast-micrometer|" + meters, java, boot, "-holdfastMeters");
        // Spring brings it, and may do without it.
        addSpring(
                "starter without micrometer-observation",
                java,
                "false",
                classPath("starter", "target/boot-" + boot).without("micrometer-(observation|commons)"),
                "+holdfast",
                Map.of("HOLDFAST_REDIS_URI", redis));
    }

    /** The class paths of the recipes, which their tests have run. */
    void addRecipes() throws IOException {
        for (String framework : List.of("boot3", "ktor", "micronaut", "quarkus")) {
            classPath("recipe-" + framework, "target");
        }
    }

    private void addMissing(String library, String pattern, Path java, String boot, String beans) throws IOException {
        ClassPath all = classPath("starter-all", "target/boot-" + boot).without(pattern);
        addSpring(
                "starter-all without " + library + ", Boot " + boot,
                java,
                "false",
                all,
                beans,
                Map.of("HOLDFAST_REDIS_URI", redis));
    }

    private void addSpring(
            String consumer,
            String what,
            Path java,
            String boot,
            String aot,
            String beans,
            Map<String, String> environment)
            throws IOException {
        addSpring(
                consumer + what + ", Boot " + boot + (aot.equals("true") ? ", ahead of time" : ""),
                java,
                aot,
                classPath(consumer, "target/boot-" + boot),
                beans,
                environment);
    }

    private void addSpring(
            String name, Path java, String aot, ClassPath classPath, String beans, Map<String, String> environment) {
        Map<String, String> variables = new LinkedHashMap<>(environment);
        variables.put("HOLDFAST_KEY_PREFIX", prefix());
        all.add(new Trial(
                name,
                java,
                List.of("-Dspring.aot.enabled=" + aot, "-cp", classPath.toString(), SPRING),
                List.of(beans.split(" ")),
                variables));
    }

    private void add(String name, Path java, List<String> options) {
        all.add(new Trial(name, java, options, List.of(redis, prefix()), Map.of()));
    }

    /** The locks of programs that run at the same time have different names. */
    private String prefix() {
        return all.size() + ":";
    }

    private List<String> classPathOf(String consumer, String program) throws IOException {
        return List.of("-cp", classPath(consumer, "target").toString(), "dev.holdfast.consumers." + program);
    }

    private ClassPath classPath(String consumer, String target) throws IOException {
        Path directory = consumers.resolve(consumer).resolve(target);
        ClassPath known = classPaths.get(directory);
        if (known == null) {
            known = ClassPath.of(consumers, directory);
            classPaths.put(directory, known);
        }
        return known;
    }
}
