import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/**
 * Checks the bundle of a release against the modules of the repository: {@code java CheckBundle.java BUNDLE REPOSITORY}. Ends with
 * status 1 and one line per problem if the bundle is not complete.
 *
 * <p>Each module that is published, and nothing else, is in the bundle, under the version of the root. Each has the files that a
 * public repository requires, and its download if it has one, each file a signature and its checksums, each POM the required
 * fields, its own or its parent's. The bill of materials lists every jar. Whether a signature is valid is not checked here.
 */
final class CheckBundle {
    private static final Map<String, String> CHECKSUMS =
            Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");

    /** What a POM must say, by the elements from the root down. */
    private static final List<String> FIELDS = List.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/url",
            "issueManagement/url");

    private static final String GROUP = "dev/holdfast/";

    /** The modules that have a download, an archive of these files. */
    private static final Map<String, List<String>> DOWNLOADS =
            Map.of("holdfast-cli", List.of("holdfast/holdfast", "holdfast/holdfast.1", "holdfast/holdfast.jar"));

    private static final int TAR_BLOCK = 512;

    private final Path bundle;
    private final Path repository;
    private final List<String> problems = new ArrayList<>();

    private CheckBundle(Path bundle, Path repository) {
        this.bundle = bundle;
        this.repository = repository;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: java CheckBundle.java BUNDLE REPOSITORY");
            System.exit(2);
        }
        CheckBundle check = new CheckBundle(Path.of(args[0]), Path.of(args[1]));
        check.run();
        check.problems.forEach(System.err::println);
        if (!check.problems.isEmpty()) {
            System.exit(1);
        }
    }

    private void run() throws IOException {
        Element root = pom(repository.resolve("pom.xml"));
        String version = text(root, "version");
        Map<String, String> published = publishedModules(root);
        published.put(text(root, "artifactId"), "pom");
        try (FileSystem zip = FileSystems.newFileSystem(bundle)) {
            Path group = zip.getPath("/", GROUP);
            checkModules(group, published.keySet());
            published.forEach((artifact, packaging) -> {
                Path directory = group.resolve(artifact).resolve(version);
                if (Files.isDirectory(directory)) {
                    checkFiles(directory, artifact + "-" + version, packaging);
                    if (DOWNLOADS.containsKey(artifact)) {
                        checkDownload(directory.resolve(artifact + "-" + version + ".tar.gz"), DOWNLOADS.get(artifact));
                    }
                    checkFields(group, artifact, version);
                } else {
                    problems.add(artifact + ": version " + version + " is not in the bundle");
                }
            });
            checkEveryFile(zip.getPath("/"));
            int files = (int) files(zip.getPath("/")).count();
            System.out.println(bundle.getFileName() + ": " + published.size() + " artifacts of version " + version + ", "
                    + files + " files, " + problems.size() + " problems");
        }
        checkBom(published);
    }

    /** The packaging of each published module, by its artifact id. */
    private Map<String, String> publishedModules(Element root) {
        Map<String, String> modules = new TreeMap<>();
        for (Element module : children(child(root, "modules"))) {
            Element pom = pom(repository.resolve(module.getTextContent()).resolve("pom.xml"));
            if (!"true".equals(text(pom, "properties/maven.deploy.skip"))) {
                String packaging = text(pom, "packaging");
                modules.put(text(pom, "artifactId"), packaging.isEmpty() ? "jar" : packaging);
            }
        }
        return modules;
    }

    private void checkModules(Path group, Set<String> published) throws IOException {
        try (Stream<Path> directories = Files.list(group)) {
            Set<String> others = new TreeSet<>(
                    directories.map(directory -> name(directory)).toList());
            others.removeAll(published);
            others.forEach(other -> problems.add(other + ": is in the bundle, but not published"));
        }
    }

    private void checkFiles(Path directory, String base, String packaging) {
        List<String> required = new ArrayList<>(List.of(".pom"));
        if (packaging.equals("jar")) {
            required.addAll(List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml"));
        }
        for (String suffix : required) {
            if (!Files.isRegularFile(directory.resolve(base + suffix))) {
                problems.add(base + suffix + ": missing");
            }
        }
    }

    private void checkDownload(Path archive, List<String> required) {
        if (!Files.isRegularFile(archive)) {
            problems.add(name(archive) + ": missing");
            return;
        }
        try {
            Map<String, Long> sizes = sizesIn(archive);
            required.stream()
                    .filter(file -> sizes.getOrDefault(file, 0L) == 0)
                    .forEach(file -> problems.add(name(archive) + ": has no " + file));
        } catch (IOException e) {
            problems.add(name(archive) + ": cannot be read: " + e.getMessage());
        }
    }

    /** The sizes of the files in an archive, by their names. A header has the name first, and the size in octal digits. */
    private static Map<String, Long> sizesIn(Path archive) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (InputStream tar = new GZIPInputStream(Files.newInputStream(archive))) {
            byte[] header = tar.readNBytes(TAR_BLOCK);
            while (header.length == TAR_BLOCK && header[0] != 0) {
                long size = Long.parseLong(textAt(header, 124, 12), 8);
                sizes.put(textAt(header, 0, 100), size);
                tar.skipNBytes((size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK);
                header = tar.readNBytes(TAR_BLOCK);
            }
        }
        return sizes;
    }

    private static String textAt(byte[] header, int from, int length) {
        String field = new String(header, from, length, StandardCharsets.US_ASCII);
        return field.substring(0, (field + '\0').indexOf('\0')).strip();
    }

    private void checkFields(Path group, String artifact, String version) {
        Path file = group.resolve(artifact).resolve(version).resolve(artifact + "-" + version + ".pom");
        if (!Files.exists(file)) {
            return;
        }
        Element pom = pom(file);
        String parent = text(pom, "parent/artifactId");
        Path parentFile = group.resolve(parent).resolve(version).resolve(parent + "-" + version + ".pom");
        Element inherited = !parent.isEmpty() && Files.exists(parentFile) ? pom(parentFile) : pom;
        for (String field : FIELDS) {
            // A name is inherited by nobody, and a description that is would be of something else.
            boolean own = field.equals("name") || field.equals("description");
            if (text(pom, field).isBlank() && (own || text(inherited, field).isBlank())) {
                problems.add(name(file) + ": has no " + field);
            }
        }
        if (Stream.of(text(pom, "version"), text(pom, "parent/version")).anyMatch(v -> v.endsWith("-SNAPSHOT"))) {
            problems.add(name(file) + ": names a snapshot");
        }
    }

    /** Every file but signatures and checksums is signed, and every file but checksums has them. */
    private void checkEveryFile(Path zip) throws IOException {
        try (Stream<Path> all = files(zip)) {
            for (Path file : all.toList()) {
                if (isChecksum(file)) {
                    continue;
                }
                if (!name(file).endsWith(".asc")) {
                    Path signature = file.resolveSibling(name(file) + ".asc");
                    if (!Files.exists(signature)
                            || !Files.readString(signature).startsWith("-----BEGIN PGP SIGNATURE-----")) {
                        problems.add(name(file) + ": not signed");
                    }
                    checkSums(file);
                }
            }
        }
    }

    private void checkSums(Path file) throws IOException {
        for (Map.Entry<String, String> sum : CHECKSUMS.entrySet()) {
            Path recorded = file.resolveSibling(name(file) + "." + sum.getKey());
            if (!Files.exists(recorded)) {
                problems.add(name(recorded) + ": missing");
            } else if (!Files.readString(recorded).strip().equals(digest(sum.getValue(), Files.readAllBytes(file)))) {
                problems.add(name(recorded) + ": not that of the file");
            }
        }
    }

    /** Every published jar has its version in the bill of materials. */
    private void checkBom(Map<String, String> published) {
        Set<String> listed = new TreeSet<>();
        Element bom = pom(repository.resolve("bom/pom.xml"));
        for (Element dependency : children(child(child(bom, "dependencyManagement"), "dependencies"))) {
            listed.add(text(dependency, "artifactId"));
        }
        published.forEach((artifact, packaging) -> {
            if (packaging.equals("jar") && !listed.contains(artifact)) {
                problems.add("bom: does not list " + artifact);
            }
        });
        listed.stream()
                .filter(artifact -> !published.containsKey(artifact))
                .forEach(artifact -> problems.add("bom: lists " + artifact + ", which is not published"));
    }

    private static Stream<Path> files(Path zip) throws IOException {
        return Files.walk(zip).filter(Files::isRegularFile).sorted();
    }

    private static boolean isChecksum(Path file) {
        return CHECKSUMS.keySet().stream().anyMatch(suffix -> name(file).endsWith("." + suffix));
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace("/", "");
    }

    private static String digest(String algorithm, byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Element pom(Path file) {
        try {
            String content = Files.readString(file, StandardCharsets.UTF_8);
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(content)))
                    .getDocumentElement();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalArgumentException(file + " is not a POM", e);
        }
    }

    /** The text of the first element of that path; empty if there is none. */
    private static String text(Element element, String path) {
        Element found = element;
        for (String step : path.split("/")) {
            found = found == null ? null : child(found, step);
        }
        return found == null ? "" : found.getTextContent().strip();
    }

    private static Element child(Element element, String name) {
        return children(element).stream()
                .filter(child -> child.getTagName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static List<Element> children(Element element) {
        List<Element> children = new ArrayList<>();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                children.add(child);
            }
        }
        return children;
    }
}
