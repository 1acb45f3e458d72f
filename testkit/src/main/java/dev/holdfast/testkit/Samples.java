package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The Java samples of a document, which should compile as a user's own code would. */
public final class Samples {

    private Samples() {}

    /**
     * {@return the samples of a Markdown document, in their order}
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public static List<String> of(Path document) {
        return after("```java", document);
    }

    /**
     * {@return the samples of a Markdown document that need a certain module, and name it: {@code ```java module}}
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public static List<String> of(Path document, String module) {
        return after("```java " + module, document);
    }

    private static List<String> after(String fence, Path document) {
        try {
            return Pattern.compile(Pattern.quote(fence) + "\n(.*?)```", Pattern.DOTALL)
                    .matcher(Files.readString(document))
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Asserts that these sources compile together, on the class path of the test.
     *
     * @param sources the text of each source, by the name of its type, with slashes
     * @param classes the directory for the compiled classes
     */
    public static void assertCompile(Map<String, String> sources, Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        boolean compiled = compiler.getTask(
                        complaints,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-proc:none", "-Xlint:none"),
                        null,
                        sources.entrySet().stream()
                                .map(source -> new SourceText(source.getKey(), source.getValue()))
                                .toList())
                .call();
        assertThat(compiled)
                .as(() -> String.join("\n", sources.values()) + "\n" + complaints)
                .isTrue();
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String type, String text) {
            super(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
