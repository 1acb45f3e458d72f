package dev.holdfast.internal.kind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.internal.kind.Answer.Outcome;
import dev.holdfast.internal.redis.Call;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The specification of what is in Redis and on its channels says what the scripts and the Java code do, no more and no less. A
 * name in angle brackets stands for what is computed.
 */
@Tag("pure")
final class WireTest {
    private static final long TENURE = 7;

    /** Values for what the page names. */
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            Map.entry("owner", "6f8e:-17"),
            Map.entry("client", "6f8e"),
            Map.entry("tenure", "7"),
            Map.entry("time", "1700000000000000"),
            Map.entry("token", "1700000000000001"),
            Map.entry("lease", "3000"),
            Map.entry("others", "2"),
            Map.entry("holds", "1"),
            Map.entry("label", "pod 7"),
            Map.entry("place", "5"),
            Map.entry("first", "4"),
            Map.entry("last", "9"),
            Map.entry("count", "3"),
            Map.entry("grants", "8"),
            Map.entry("opened", "1700000000000002"),
            Map.entry("fenced", "1"),
            Map.entry("until", "1700000000000"),
            Map.entry("holding", "2"),
            Map.entry("due", "1700000000001"),
            Map.entry("waiting", "1"),
            Map.entry("permits", "2"),
            Map.entry("number", "3"),
            Map.entry("limit", "4"),
            Map.entry("held", "3"),
            Map.entry("top", "5"),
            Map.entry("numbers", "2 5"),
            Map.entry("generation", "1700000000000003"),
            Map.entry("how", "counting"),
            Map.entry("renewal", "86400000"),
            Map.entry("since", "1700000000000004"),
            Map.entry("gone", "none"),
            Map.entry("result", "1"));

    private static String computed(String name) {
        return name.replaceAll("<(?!channel)\\w+>", "<>");
    }

    private static String sample(String format) {
        String text = format;
        for (Map.Entry<String, String> value : SAMPLES.entrySet()) {
            text = text.replace("<" + value.getKey() + ">", value.getValue());
        }
        return assertThat(text).doesNotContain("<").actual();
    }

    /** {@return the codes of a column} */
    private static List<String> column(WirePage page, String heading, int column) {
        return page.rows(heading).stream()
                .map(row -> WirePage.code(row.get(column)))
                .toList();
    }

    private static Set<String> ofAll(WirePage page, Function<ScriptText, Set<String>> part) {
        return page.scripts().stream()
                .flatMap(script -> part.apply(script).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return what the locks of this name have in Redis, whichever kind they are of} */
    private static Set<String> ofKinds(WirePage page, String name, Function<LockKey, List<String>> part) {
        return new Kinds(null)
                .all().stream()
                        .filter(kind -> page == WirePage.of(kind))
                        .flatMap(kind -> part.apply(new LockKey(kind, name, "")).stream())
                        .collect(Collectors.toSet());
    }

    private static List<String> channels(LockKey lock) {
        return lock.kind() instanceof Enlists kind
                ? List.of(lock.channel(), kind.grantChannel(lock, sample("<client>")), Enlists.lineChannel(lock))
                : List.of(lock.channel());
    }

    /** The scripts use the keys of the page, under the names that the page gives. */
    @ParameterizedTest
    @EnumSource
    void keys_areThoseOfThePage(WirePage page) {
        assertThat(ofAll(page, ScriptText::keys)).containsExactlyInAnyOrderElementsOf(column(page, "Keys", 3));
    }

    /** The keys of each kind have the patterns of the page. */
    @ParameterizedTest
    @EnumSource(names = "LATCH", mode = EnumSource.Mode.EXCLUDE)
    void keys_haveThePatternsOfThePage(WirePage page) {
        for (String name : List.of("orders", "{orders}:42")) {
            int column = name.contains("{") ? 2 : 0;
            assertThat(column(page, "Keys", column).stream().map(key -> key.replace("<name>", name)))
                    .containsExactlyInAnyOrderElementsOf(ofKinds(page, name, LockKey::keys));
        }
    }

    /** The scripts read and write the fields of the page, and no others. */
    @ParameterizedTest
    @EnumSource
    void fields_areThoseOfThePage(WirePage page) {
        assertThat(ofAll(page, ScriptText::fields))
                .containsExactlyInAnyOrderElementsOf(column(page, "Fields", 0).stream()
                        .map(WireTest::computed)
                        .collect(Collectors.toSet()));
    }

    /** A value of several parts is one that the scripts can take apart, and each such pattern of theirs is that of a value. */
    @ParameterizedTest
    @EnumSource
    void values_haveTheFormatOfThePage(WirePage page) {
        List<String> values = column(page, "Fields", 1).stream()
                .filter(value -> value.contains(" "))
                .map(WireTest::sample)
                .toList();
        Set<String> formats = ofAll(page, ScriptText::formats);
        assertThat(values).hasSizeGreaterThan(1).allMatch(value -> formats.stream()
                .anyMatch(value::matches));
        assertThat(formats).isNotEmpty().allMatch(format -> values.stream().anyMatch(value -> value.matches(format)));
    }

    /** The scripts publish on the channels of the page. */
    @ParameterizedTest
    @EnumSource
    void channels_areThoseOfThePage(WirePage page) {
        String channel = column(page, "Channels", 0).get(0);
        assertThat(ofAll(page, ScriptText::channels))
                .containsExactlyInAnyOrderElementsOf(column(page, "Channels", 0).stream()
                        .map(name -> computed(name.replace(channel, "<channel>")))
                        .toList());
    }

    /** The clients subscribe to the channels of the page. */
    @ParameterizedTest
    @EnumSource(names = "LATCH", mode = EnumSource.Mode.EXCLUDE)
    void channels_haveThePatternsOfThePage(WirePage page) {
        for (String name : List.of("orders", "{orders}:42")) {
            assertThat(column(page, "Channels", name.contains("{") ? 1 : 0).stream()
                            .map(pattern -> sample(pattern.replace("<name>", name))))
                    .containsExactlyInAnyOrderElementsOf(ofKinds(page, name, WireTest::channels));
        }
    }

    /** Each script publishes the messages that the page says, and no others. */
    @ParameterizedTest
    @EnumSource
    void messages_areThoseOfThePage(WirePage page) {
        Map<String, Set<String>> written = new TreeMap<>();
        for (List<String> row : page.rows("Messages")) {
            for (String script : WirePage.codes(row.get(2))) {
                written.computeIfAbsent(script, none -> new TreeSet<>())
                        .add(computed(WirePage.code(row.get(0)) + " " + WirePage.code(row.get(1))));
            }
        }
        Map<String, Set<String>> published = new TreeMap<>();
        for (ScriptText script : page.scripts()) {
            if (!script.messages().isEmpty()) {
                published.put(script.name(), script.messages());
            }
        }
        assertThat(published).isEqualTo(written);
    }

    /** A client reads each message on its own channel, and on that of the line, as what the page says. */
    @Test
    void messages_areRead() {
        Set<String> read = new TreeSet<>();
        for (List<String> row : WirePage.LOCK.rows("Messages")) {
            String format = WirePage.code(row.get(1));
            String message = sample(format);
            GrantMessage grant = GrantMessage.parse(message);
            LeftFree left = LeftFree.parse(message);
            switch (format) {
                case "0" -> assertThat(WirePage.code(row.get(0))).isEqualTo("<channel>");
                case "<owner> <tenure> <time>" ->
                    assertThat(grant).isEqualTo(new GrantMessage("6f8e:-17", -17, 7, 1_700_000_000_000_000L, 0));
                case "<owner> <tenure> <time> <token>" ->
                    assertThat(grant)
                            .isEqualTo(new GrantMessage(
                                    "6f8e:-17", -17, 7, 1_700_000_000_000_000L, 1_700_000_000_000_001L));
                case "watch <lease>" -> assertThat(Enlists.readWatch(message)).isEqualTo(3_000);
                case "<others> <time>" -> assertThat(left).isEqualTo(new LeftFree(2, 1_700_000_000_000_000L));
                case "opened <time>" -> assertThat(Enlists.readOpened(message)).isEqualTo(1_700_000_000_000_000L);
                default -> fail("no client reads " + format);
            }
            long readers = Stream.of(
                            grant != null,
                            left != null,
                            Enlists.readWatch(message) >= 0,
                            Enlists.readOpened(message) >= 0)
                    .filter(isRead -> isRead)
                    .count();
            assertThat(readers).as("readings of %s", message).isEqualTo(format.equals("0") ? 0 : 1);
            read.add(format);
        }
        assertThat(read).hasSize(6);
    }

    /** Words that a later version adds at the end of a message, and elements at that of a reply, are ignored. */
    @Test
    void additions_areIgnored() {
        assertThat(GrantMessage.parse("6f8e:-17 7 1700000000000000 0 a word"))
                .isEqualTo(GrantMessage.parse("6f8e:-17 7 1700000000000000"));
        assertThat(GrantMessage.parse("6f8e:-17 7 1700000000000000 5 a word"))
                .isEqualTo(GrantMessage.parse("6f8e:-17 7 1700000000000000 5"));
        assertThat(Enlists.readWatch("watch 3000 a word")).isEqualTo(3_000);
        assertThat(LeftFree.parse("2 1700000000000000 a word")).isEqualTo(LeftFree.parse("2 1700000000000000"));
        assertThat(Enlists.readOpened("opened 1700000000000000 a word")).isEqualTo(1_700_000_000_000_000L);
        assertThat(Enlists.isClosing("closing 1700000000000000 a word")).isTrue();
        assertThat(ReadKind.waitingWriters(answered("4 9 3 8 1700000000000000 a word")))
                .isEqualTo(3);

        assertThat(Enlistment.of(answered(-5L, 2L, "1700000000000000", "more")))
                .isEqualTo(Enlistment.of(answered(-5L, 2L, "1700000000000000")));
        assertThat(new FencedKind(null).readGrant(answered(TENURE, "17", "more"), TENURE))
                .isEqualTo(new FencedKind(null).readGrant(answered(TENURE, "17"), TENURE));
        assertThat(Publication.of(answered(TENURE, 1L, -1L, "more")))
                .isEqualTo(Publication.of(answered(TENURE, 1L, -1L)));
        assertThat(Publication.of(answered(TENURE, 4L, 2L, "1700000000000000", "more")))
                .isEqualTo(Publication.of(answered(TENURE, 4L, 2L, "1700000000000000")));
    }

    /** A token is a positive {@code long}: a grant with anything else, which another program has stored, is none. */
    @Test
    void token_isALong() {
        FencedKind kind = new FencedKind(null);
        assertThat(kind.readGrant(answered(TENURE, "9223372036854775807"), TENURE))
                .isEqualTo(new Answer(Outcome.HELD, 0, Long.MAX_VALUE));
        for (String none : List.of("9223372036854775808", "x", "", "0", "-1")) {
            assertThat(kind.readGrant(answered(TENURE, none), TENURE).outcome())
                    .as(none)
                    .isEqualTo(Outcome.MALFORMED);
        }
    }

    /** Each script has a row with its keys and arguments, in their order, and uses each that it names. */
    @ParameterizedTest
    @EnumSource
    void scripts_haveTheArgumentsOfThePage(WirePage page) {
        List<String> written = page.rows("Scripts").stream()
                .map(row -> row.subList(0, 3).stream()
                        .map(cell -> String.join("", WirePage.codes(cell)))
                        .collect(Collectors.joining(" | ")))
                .sorted()
                .toList();
        List<String> declared = page.scripts().stream()
                .map(script -> String.join(
                        " | ",
                        script.name(),
                        String.join(" ", script.declared("KEYS")),
                        String.join(" ", script.declared("ARGV"))))
                .sorted()
                .toList();
        assertThat(declared).isEqualTo(written);
        for (ScriptText script : page.scripts()) {
            for (String array : List.of("KEYS", "ARGV")) {
                assertThat(ScriptText.numbers(array, script.code()))
                        .as("%s of %s.lua", array, script.name())
                        .isEqualTo(ScriptText.numbers(array, script.header()));
            }
        }
    }

    /** Each script returns what the page says, and nothing else. */
    @ParameterizedTest
    @EnumSource
    void replies_areThoseOfThePage(WirePage page) {
        Map<String, Set<String>> written = new TreeMap<>();
        for (List<String> row : page.rows("Replies")) {
            written.computeIfAbsent(WirePage.code(row.get(0)), none -> new TreeSet<>())
                    .add(WirePage.code(row.get(1)));
        }
        Map<String, Set<String>> returned = new TreeMap<>();
        page.scripts().forEach(script -> returned.put(script.name(), script.replies()));
        assertThat(returned).isEqualTo(written);
    }

    /** What a reply, or an element of one, says about the tenure that was sent is what the page says. */
    @ParameterizedTest
    @EnumSource(names = "LATCH", mode = EnumSource.Mode.EXCLUDE)
    void replies_areRead(WirePage page) {
        Set<Outcome> read = EnumSet.noneOf(Outcome.class);
        for (List<String> row : page.rows("Replies")) {
            Set<Outcome> written = WirePage.codes(row.get(3)).stream()
                    .map(Outcome::valueOf)
                    .collect(Collectors.toCollection(() -> EnumSet.noneOf(Outcome.class)));
            if (written.isEmpty()) {
                continue;
            }
            Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
            for (Object first : firstElements(page, row)) {
                outcomes.add(Answer.ofElement(first, TENURE).outcome());
            }
            assertThat(outcomes).as("%s", row).isEqualTo(written);
            read.addAll(outcomes);
        }
        assertThat(read)
                .containsExactlyInAnyOrder(Outcome.HELD, Outcome.BUSY, Outcome.GONE, Outcome.LATE, Outcome.REFUSED);
    }

    private static List<Object> firstElements(WirePage page, List<String> row) {
        String reply = WirePage.code(row.get(1));
        return switch (reply.replaceFirst(",.*", "")) {
            case "tenure" -> List.of(TENURE);
            case "newer" -> {
                ScriptText script = page.scripts().stream()
                        .filter(one -> one.name().equals(WirePage.code(row.get(0))))
                        .findFirst()
                        .orElseThrow();
                yield script.code().contains("mine >= tenure") ? List.of(TENURE, TENURE + 1) : List.of(TENURE + 1);
            }
            case "-left" -> List.of(-5L);
            case "0" -> List.of(0L);
            case "held" -> List.of(TENURE, 0L);
            case "error" -> List.of("NOPERM no permissions");
            default -> throw new AssertionError("an unknown reply: " + reply);
        };
    }

    /** The further elements of the replies to an attempt and to a release are read as what the page says. */
    @Test
    void furtherElements_areRead() {
        List<String> acquire = replies("acquire");
        List<String> release = replies("release");
        assertThat(acquire).contains("-left, before, time", "-left, error", "tenure, token");
        assertThat(Enlistment.of(answered(-5L, 2L, "1700000000000000")))
                .isEqualTo(new Enlistment(true, 2, 1_700_000_000_000_000L, null));
        assertThat(Enlistment.of(answered(-5L, "NOPERM"))).isEqualTo(new Enlistment(false, 0, 0, "NOPERM"));
        assertThat(new FencedKind(null).readGrant(answered(TENURE, "17"), TENURE))
                .isEqualTo(new Answer(Outcome.HELD, 0, 17));
        assertThat(release)
                .contains("tenure, receivers", "held, receivers, -1", "held, receivers, others, time", "held, error");
        assertThat(Publication.of(answered(TENURE, 3L)))
                .isEqualTo(new Publication(Publication.Next.ANYONE, 3, null, null));
        assertThat(Publication.of(answered(TENURE, 1L, -1L)))
                .isEqualTo(new Publication(Publication.Next.GRANTED, 1, null, null));
        assertThat(Publication.of(answered(TENURE, 4L, 2L, "1700000000000000")))
                .isEqualTo(new Publication(Publication.Next.OTHERS, 4, new LeftFree(2, 1_700_000_000_000_000L), null));
        assertThat(Publication.of(answered(TENURE, "NOPERM")))
                .isEqualTo(new Publication(Publication.Next.ANYONE, 0, null, "NOPERM"));
    }

    /** So are those of a semaphore, whose number is in each grant. */
    @Test
    void furtherElements_ofASemaphore_areRead() {
        PermitsKind kind = new PermitsKind(null);
        assertThat(kind.readGrant(answered(TENURE, 3L), TENURE)).isEqualTo(new Answer(Outcome.HELD, 0, 3));
        assertThat(kind.readGrant(answered(TENURE, 3L, 10L), TENURE)).isEqualTo(new Answer(Outcome.HELD, 0, 3));
        assertThat(kind.readGrant(answered(TENURE), TENURE).outcome()).isEqualTo(Outcome.MALFORMED);
        assertThat(kind.readGrant(answered(-5L, 2L, "1700000000000000", 10L), TENURE))
                .isEqualTo(new Answer(Outcome.BUSY, 5, 0));
        assertThat(Enlistment.of(answered(-5L, 2L, "1700000000000000", 10L)))
                .isEqualTo(new Enlistment(true, 2, 1_700_000_000_000_000L, null));
    }

    private static List<String> replies(String script) {
        return WirePage.LOCK.rows("Replies").stream()
                .filter(row -> WirePage.code(row.get(0)).equals(script))
                .map(row -> WirePage.code(row.get(1)))
                .toList();
    }

    /** {@return a call that was answered by an array of these elements} */
    static Call answered(Object... elements) {
        List<Call> completed = new ArrayList<>();
        Call call = Call.of(CommandType.EVALSHA, completed::add);
        RedisCommand<?, ?, ?> command = (RedisCommand<?, ?, ?>) call;
        command.getOutput().multi(elements.length);
        for (Object element : elements) {
            if (element instanceof Long number) {
                command.getOutput().set(number.longValue());
            } else {
                command.getOutput().set(ByteBuffer.wrap(element.toString().getBytes(UTF_8)));
            }
        }
        command.complete();
        assertThat(completed).containsExactly(call);
        return call;
    }
}
