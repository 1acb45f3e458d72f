package dev.holdfast.testkit;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An artifact's metadata for native images: the resources that it loads, as patterns, and the types that it looks up by
 * name. Read from the compiled classes of a module, beside its resources.
 */
public final class NativeImageMetadata {
    private static final Pattern GLOB = Pattern.compile("\"glob\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"([^\"]+)\"");

    private final Path classes;
    private final String json;

    private NativeImageMetadata(Path classes, String json) {
        this.classes = classes;
        this.json = json;
    }

    /**
     * Reads the metadata of a module.
     *
     * @param artifact its artifact id
     * @param type any type of the module, whose classes must be in a directory
     */
    public static NativeImageMetadata of(String artifact, Class<?> type) throws IOException {
        try {
            Path classes = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path file =
                    classes.resolve("META-INF/native-image/dev.holdfast/" + artifact + "/reachability-metadata.json");
            return new NativeImageMetadata(classes, Files.readString(file));
        } catch (URISyntaxException e) {
            throw new IOException("the location of " + type + " is not a valid URI", e);
        }
    }

    /** {@return the patterns of resources} */
    public List<String> patterns() {
        return GLOB.matcher(json).results().map(found -> found.group(1)).toList();
    }

    /** {@return the names of the types that are looked up} */
    public List<String> types() {
        return TYPE.matcher(json).results().map(found -> found.group(1)).toList();
    }

    /** {@return the module's resources that match a pattern} A star matches anything within one directory. */
    public Set<String> matching(String pattern) throws IOException {
        var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        return resources(matcher::matches);
    }

    /** {@return the module's scripts} */
    public Set<String> scripts() throws IOException {
        return resources(path -> path.toString().endsWith(".lua"));
    }

    private Set<String> resources(Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.filter(Files::isRegularFile)
                    .map(classes::relativize)
                    .filter(wanted)
                    .map(path -> path.toString().replace('\\', '/'))
                    .collect(Collectors.toSet());
        }
    }
}
