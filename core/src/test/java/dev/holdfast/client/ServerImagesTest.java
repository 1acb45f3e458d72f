package dev.holdfast.client;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.LockKinds;
import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.LockFixture;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;

/**
 * Each kind of lock fulfils the contract of all locks on each supported server version. Skipped if Docker is not
 * available, and for an image that Docker cannot pull.
 *
 * <p>The environment variable {@value #IMAGES} names other images, separated by commas; those must be available.
 */
@Tag("client")
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("kindsByImage")
final class ServerImagesTest extends LockContract {
    private static final String IMAGES = "HOLDFAST_TEST_IMAGES";

    @Parameter(0)
    String image = "";

    @Parameter(1)
    LockKinds kind = LockKinds.PLAIN;

    private @Nullable RedisContainer redis;
    private String missing = "";

    /** Each test is skipped individually, since a class that is skipped as a whole is missing from the report. */
    @RegisterExtension
    final BeforeEachCallback skipWithoutServer = test -> assumeTrue(redis != null, () -> missing);

    static Stream<Arguments> kindsByImage() {
        return images().stream().flatMap(image -> Stream.of(LockKinds.values()).map(kind -> Arguments.of(image, kind)));
    }

    private static List<String> images() {
        return isChosen()
                ? Stream.of(System.getenv(IMAGES).split(",", -1))
                        .map(String::strip)
                        .toList()
                : List.of("redis:6.2", "redis:7.4", "redis:8", "valkey/valkey:8");
    }

    private static boolean isChosen() {
        String images = System.getenv(IMAGES);
        return images != null && !images.isBlank();
    }

    @BeforeParameterizedClassInvocation
    void start() {
        if (!dockerAnswers()) {
            missing = "no Docker answers here";
            return;
        }
        try {
            redis = RedisContainer.start(image);
        } catch (ContainerFetchException e) {
            if (isChosen()) {
                throw e;
            }
            missing = "Docker cannot get the image " + image;
        }
    }

    /**
     * A Docker that cannot even pull the images of Testcontainers counts as unavailable, unless its use was requested.
     */
    private static boolean dockerAnswers() {
        try {
            DockerClientFactory docker = DockerClientFactory.instance();
            return docker.isDockerAvailable() && !docker.dockerHostIpAddress().isEmpty();
        } catch (RuntimeException e) {
            if (isChosen()) {
                throw e;
            }
            return false;
        }
    }

    @AfterParameterizedClassInvocation
    void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @Override
    protected LockFixture newFixture() {
        return Objects.requireNonNull(redis, missing).newFixture(kind);
    }
}
