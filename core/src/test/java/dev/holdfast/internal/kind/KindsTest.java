package dev.holdfast.internal.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockType;
import dev.holdfast.internal.condition.ConditionKey;
import dev.holdfast.internal.latch.LatchKey;
import dev.holdfast.topology.DocumentedRights;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is loaded, and what the documents say about rights, follows from the list of kinds. */
@Tag("pure")
final class KindsTest {
    /** What a connection needs, whatever kinds of lock are used over it. */
    private static final Set<String> OF_CONNECTIONS =
            Set.of("+subscribe", "+unsubscribe", "+ping", "+client|info", "+client|kill", "+hello", "+info");

    /** What it takes to run a script. */
    private static final Set<String> OF_SCRIPTS = Set.of("+evalsha", "+eval", "+script|load");

    private static final String CLIENT = "6f8e";

    private static final LatchKey LATCH = new LatchKey("orders:42", "");

    private static final ConditionKey CONDITIONS = new ConditionKey(new LockKey(new PlainKind(), "orders:42", ""));

    private final Collection<Kind> kinds = new Kinds(null).all();

    private static Set<String> words(Stream<String> texts) {
        return texts.flatMap(text -> Arrays.stream(text.split(" ", -1))).collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> commandRights() {
        return words(Stream.concat(
                kinds.stream().map(Kind::commandRights),
                Stream.of(Enlists.commandRights(), LATCH.commandRights(), CONDITIONS.commandRights())));
    }

    /** Each type of lock has a kind, which is of that type, and there is no other. */
    @Test
    void types_haveAKind() {
        assertThat(kinds).extracting(Kind::type).containsExactly(LockType.values());
        for (Kind kind : kinds) {
            assertThat(new Kinds(null).of(kind.type())).hasSameClassAs(kind);
        }
    }

    /** Kinds with one identity are one lock: they have one key and one channel, and agree on whether several owners can have it. */
    @Test
    void identities_areOfOneLock() {
        for (Kind one : kinds) {
            kinds.stream()
                    .filter(other -> other.identity().equals(one.identity()))
                    .forEach(other -> assertThat(ofLock(other)).isEqualTo(ofLock(one)));
        }
    }

    private static List<Object> ofLock(Kind kind) {
        LockKey lock = new LockKey(kind, "orders:42", "shop:");
        return List.of(lock.key(), channels(lock), kind.admitsSeveral());
    }

    /**
     * The kinds run all scripts that there are, but for those of latches and conditions, and no script is loaded twice.
     */
    @Test
    void scripts_areThoseThatAreShipped() {
        assertThat(new Kinds(null).scripts())
                .extracting(script -> script.toString().replaceFirst("\\.lua .*", ""))
                .containsExactlyInAnyOrderElementsOf(ScriptText.all().stream()
                        .map(ScriptText::name)
                        .filter(name -> !name.matches("(latch|condition)-.*"))
                        .toList());
    }

    /** The rights to commands are what the scripts need, and nothing else. */
    @Test
    void commandRights_areWhatTheScriptsRun() {
        Set<String> run = new TreeSet<>(OF_SCRIPTS);
        ScriptText.all().forEach(script -> script.commands().forEach(command -> run.add("+" + command)));
        assertThat(commandRights()).isEqualTo(run);
    }

    /** A user that is created as the page says may run what the kinds and the connections need, and nothing else. */
    @Test
    void commandRights_areThoseOfThePage() {
        Set<String> needed = commandRights();
        needed.add(Publishing.SINGLE.right());
        needed.addAll(OF_CONNECTIONS);
        assertThat(DocumentedRights.ofAll())
                .filteredOn(right -> right.startsWith("+"))
                .containsExactlyInAnyOrderElementsOf(needed);
    }

    /** That user may use each key and channel of the locks that the page is about; each of its patterns is for one of them. */
    @Test
    void patterns_areThoseOfThePage() {
        assertPatterns("~", LockKey::keys, Stream.concat(LATCH.keys().stream(), CONDITIONS.keys().stream()));
        assertPatterns(
                "&",
                KindsTest::channels,
                Stream.of(LockKey.unusedChannel("0", CLIENT), LATCH.channel(), CONDITIONS.channelOf(CLIENT)));
    }

    private void assertPatterns(String sign, Function<LockKey, List<String>> ofLock, Stream<String> ofOthers) {
        List<String> names = Stream.concat(
                        kinds.stream().flatMap(kind -> ofLock.apply(new LockKey(kind, "orders:42", "")).stream()),
                        ofOthers)
                .toList();
        List<String> patterns = DocumentedRights.ofAll().stream()
                .filter(right -> right.startsWith(sign))
                .map(right -> right.substring(1).replaceAll("[{}]", "\\\\$0").replace("*", ".*"))
                .toList();
        assertThat(names).allMatch(name -> patterns.stream().anyMatch(name::matches));
        assertThat(patterns).isNotEmpty().allMatch(pattern -> names.stream().anyMatch(name -> name.matches(pattern)));
    }

    private static List<String> channels(LockKey lock) {
        return lock.kind() instanceof Enlists kind
                ? List.of(lock.channel(), kind.grantChannel(lock, CLIENT), Enlists.lineChannel(lock))
                : List.of(lock.channel());
    }
}
