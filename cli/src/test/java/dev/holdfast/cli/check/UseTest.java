package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockType;
import dev.holdfast.internal.condition.ConditionKey;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.Kinds;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.latch.LatchKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rights that are asked for are those of the library, and those of the page on configuration. */
@Tag("pure")
final class UseTest {
    private static final String NAME = "orders:42";
    private static final String CLIENT = "6f8e";

    private static LockKey lock(LockType type, String name) {
        return new LockKey(new Kinds(null).of(type), name, "");
    }

    /** The commands of each kind of lock are those that its scripts run, and those that publish. */
    @Test
    void commands_areThoseOfTheKinds() {
        assertCommands(Use.LOCK, lock(LockType.PLAIN, NAME));
        assertCommands(Use.FENCED, lock(LockType.FENCED, NAME));
        assertCommands(Use.FAIR, lock(LockType.FAIR, NAME), Enlists.commandRights());
        assertCommands(Use.READ_WRITE, lock(LockType.READ, NAME));
        assertCommands(Use.READ_WRITE, lock(LockType.WRITE, NAME));
        assertCommands(Use.SEMAPHORE, lock(LockType.SEMAPHORE, NAME));
        assertCommands(Use.LATCH, new LatchKey(NAME, ""));
        assertCommands(Use.CONDITION, new ConditionKey(lock(LockType.PLAIN, NAME)));
        assertThat(commands(Use.LINE)).isEqualTo(words(Enlists.commandRights()));
    }

    /** That to load scripts is one of all kinds, and they work without it. */
    private static void assertCommands(Use use, SynchronizerKey key, String... more) {
        Set<String> needed =
                words(key.commandRights() + " " + Publishing.SINGLE.right() + " " + String.join(" ", more));
        assertThat(needed.remove("+script|load")).isTrue();
        assertThat(commands(use)).as("%s", use).isEqualTo(needed);
    }

    private static Set<String> commands(Use use) {
        return use.rights("", false).stream()
                .filter(right -> right.startsWith("+"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> words(String text) {
        return new TreeSet<>(Arrays.asList(text.strip().split("\\s+", -1)));
    }

    /** The patterns of each kind match its keys and channels, also where the names have a brace. */
    @Test
    void patterns_areThoseOfTheKinds() {
        for (String prefix : List.of("", "orders:", "{tenant}:")) {
            String name = prefix + "42";
            LockKey plain = lock(LockType.PLAIN, name);
            assertPatterns(Use.LOCK, prefix, plain, plain.channel());
            assertPatterns(Use.FENCED, prefix, lock(LockType.FENCED, name), plain.channel());
            assertPatterns(Use.FAIR, prefix, lock(LockType.FAIR, name), plain.channel());
            LockKey read = lock(LockType.READ, name);
            assertPatterns(Use.READ_WRITE, prefix, read, read.channel());
            LockKey semaphore = lock(LockType.SEMAPHORE, name);
            assertPatterns(Use.SEMAPHORE, prefix, semaphore, semaphore.channel());
            LatchKey latch = new LatchKey(name, "");
            assertPatterns(Use.LATCH, prefix, latch, latch.channel());
            ConditionKey condition = new ConditionKey(plain);
            assertPatterns(Use.CONDITION, prefix, condition, condition.channelOf(CLIENT));
            assertThat(Use.LINE.channels(prefix)).allMatch(pattern -> matches(pattern, Enlists.lineChannel(plain)));
        }
    }

    private static void assertPatterns(Use use, String prefix, SynchronizerKey key, String channel) {
        assertThat(key.keys()).as("%s", use).allMatch(each -> use.keys(prefix).stream()
                .anyMatch(p -> matches(p, each)));
        assertThat(use.keys(prefix)).allMatch(pattern -> key.keys().stream().anyMatch(each -> matches(pattern, each)));
        assertThat(use.channels(prefix)).singleElement().matches(pattern -> matches(pattern, channel));
    }

    private static boolean matches(String pattern, String name) {
        assertThat(pattern).endsWith("*");
        return name.startsWith(pattern.substring(0, pattern.length() - 1));
    }

    /** Together, they are the rights of the user on the page, and those that it has for a cluster and for sentinels. */
    @Test
    void all_areThoseOfThePage() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "configuration.md"));
        Matcher block =
                Pattern.compile("(?s)ACL SETUSER locks on >secret (.*?)```").matcher(page);
        assertThat(block.find()).isTrue();
        Set<String> ofThePage = words(block.group(1).replace("resetchannels", ""));
        // By which a client without a prefix checks subscriptions, as the command does.
        assertThat(ofThePage.remove("&redisson_lock__channel:{[0-9]*}:*")).isTrue();
        assertThat(rights(Shape.ONE_SERVER, false)).isEqualTo(with(ofThePage, "+wait"));
        assertThat(rights(Shape.SENTINEL, false)).isEqualTo(with(ofThePage, "+wait", "+role"));

        Matcher cluster = Pattern.compile("(?m)^\\| Cluster from Redis 7.0 on \\| `(.*)` \\|$")
                .matcher(page);
        assertThat(cluster.find()).isTrue();
        Set<String> ofClusters = words(cluster.group(1).replace("\\|", "|"));
        Set<String> sharded = rights(Shape.CLUSTER, true);
        assertThat(sharded).containsAll(ofClusters);
        assertThat(with(ofThePage, "+wait"))
                .containsAll(sharded.stream()
                        .filter(right -> !ofClusters.contains(right))
                        .toList());
    }

    private static Set<String> rights(Shape shape, boolean isSharded) {
        return Stream.of(Use.values())
                .filter(use -> use.isIn(shape))
                .flatMap(use -> use.rights("orders:", isSharded).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> with(Set<String> rights, String... more) {
        Set<String> all = new TreeSet<>(rights);
        all.addAll(List.of(more));
        return all;
    }
}
