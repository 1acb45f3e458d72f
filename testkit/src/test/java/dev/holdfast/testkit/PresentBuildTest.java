package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The name of a build. */
class PresentBuildTest {
    private static final String POM = "pom.xml";

    private final Path repository;

    PresentBuildTest(@TempDir Path repository) {
        this.repository = repository;
    }

    private void git(String command) throws IOException, InterruptedException {
        String identified = "git -c user.name=a -c user.email=a@example.org " + command;
        assertThat(new ProcessBuilder(identified.split(" "))
                        .directory(repository.toFile())
                        .start()
                        .waitFor())
                .isZero();
    }

    /** A commit is one build; changes of the library that are in none may be any. */
    @Test
    void name_changed() throws Exception {
        git("init -q");
        Files.createFile(repository.resolve(POM));
        git("add .");
        git("commit -q -m first");
        String committed = PresentBuild.name(repository, POM);
        Files.createFile(repository.resolve("README.md"));

        assertThat(committed).matches("[0-9a-f]{7,}");
        assertThat(PresentBuild.isCommitted(committed)).isTrue();
        assertThat(PresentBuild.name(repository, POM)).isEqualTo(committed);

        Files.writeString(repository.resolve(POM), "changed");

        assertThat(PresentBuild.name(repository, POM)).isEqualTo(committed + ", changed");
        assertThat(PresentBuild.isCommitted(committed + ", changed")).isFalse();
    }

    /** Without a commit there is no name: all such builds would have the same one. */
    @Test
    void name_noCommit() {
        assertThatThrownBy(() -> PresentBuild.name(repository, POM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(repository.toString());
    }
}
