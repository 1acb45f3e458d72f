package dev.holdfast.spring.autoconfigure;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.images.RemoteDockerImage;
import org.testcontainers.utility.DockerImageName;

/** The image of the tests that need a container. */
final class RedisImage {
    static final DockerImageName NAME = DockerImageName.parse("redis:7.4");

    private RedisImage() {}

    /** Skips the test where there is no Docker, or Docker cannot get the image. */
    static void assumeAvailable() {
        assumeTrue(dockerAnswers(), "no Docker answers here");
        assumeTrue(hasImage(), () -> "Docker cannot get the image " + NAME);
    }

    /** A Docker that cannot even pull the images of Testcontainers counts as unavailable. */
    private static boolean dockerAnswers() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static boolean hasImage() {
        try {
            return !new RemoteDockerImage(NAME).get().isEmpty();
        } catch (ContainerFetchException e) {
            return false;
        }
    }
}
