package dev.holdfast.internal.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The template for the flight recorder, as the JDK reads it. */
@Tag("pure")
final class FlightTemplateTest {
    private static final Path TEMPLATE = Path.of("jfr", "holdfast.jfc");
    private static final Path EVENTS = Path.of("src/main/java/dev/holdfast/internal/jfr");
    private static final Pattern EVENT = Pattern.compile("(?s)@Name\\(\"([\\w.]+)\"\\).*?class (\\w+) extends Event");
    private static final long LONGER_THAN_THE_THRESHOLD = 2_000_000;

    /** {@return the settings of the template, by event and setting, as in {@code name#threshold}} */
    private static Map<String, String> settings(Path template) throws IOException, ParseException {
        return Configuration.create(template).getSettings();
    }

    /** {@return the events of the library, and the settings that each can have} */
    private static Map<String, Set<String>> events() throws IOException, ClassNotFoundException {
        Map<String, Set<String>> events = new TreeMap<>();
        try (Stream<Path> sources = Files.list(EVENTS)) {
            for (Path source : (Iterable<Path>) sources::iterator) {
                Matcher event = EVENT.matcher(Files.readString(source));
                if (event.find()) {
                    Class<? extends Event> type = Class.forName(
                                    FlightTemplateTest.class.getPackageName() + "." + event.group(2))
                            .asSubclass(Event.class);
                    Set<String> settings = new TreeSet<>();
                    EventType.getEventType(type).getSettingDescriptors().stream()
                            .map(SettingDescriptor::getName)
                            .forEach(settings::add);
                    events.put(event.group(1), settings);
                }
            }
        }
        return events;
    }

    /** It enables each event of the library; each setting is one that the event has, since the JDK ignores any other. */
    @Test
    void events_areAll() throws Exception {
        Map<String, Set<String>> events = events();
        assertThat(events).hasSizeGreaterThan(5);
        Map<String, String> settings = settings(TEMPLATE);
        Set<String> enabled = new TreeSet<>();
        settings.forEach((key, value) -> {
            String[] words = key.split("#", -1);
            assertThat(events.getOrDefault(words[0], Set.of())).as(key).contains(words[1]);
            if (words[1].equals("enabled") && value.equals("true")) {
                enabled.add(words[0]);
            }
        });
        assertThat(enabled).isEqualTo(events.keySet());
    }

    /** A recording by it has a wait that is too short for one without it. */
    @Test
    void recording_hasShortWaits(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("waits.jfr");
        try (Recording recording = new Recording(Configuration.create(TEMPLATE))) {
            recording.start();
            FlightEvents.Span wait = FlightEvents.lockWait("orders", "client");
            long end = System.nanoTime() + LONGER_THAN_THE_THRESHOLD;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            wait.end("GRANTED");
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file))
                .extracting(event -> event.getEventType().getName())
                .containsOnlyOnce("dev.holdfast.LockWait");
    }

    /** The JDK's tool takes it, and sets each threshold by its option. */
    @Test
    void options_setThresholds(@TempDir Path directory) throws Exception {
        Path configured = directory.resolve("configured.jfc");
        Process jfr = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jfr").toString(),
                        "configure",
                        "--input",
                        TEMPLATE.toString(),
                        "--output",
                        configured.toString(),
                        "holdfast-waits=7ms",
                        "holdfast-holds=2s")
                .redirectErrorStream(true)
                .start();
        String output = new String(jfr.getInputStream().readAllBytes(), UTF_8);
        assertThat(jfr.waitFor()).as("%s", output).isZero();
        Set<String> thresholds = new TreeSet<>();
        settings(configured).forEach((key, value) -> {
            if (key.endsWith("#threshold")) {
                thresholds.add(key + "=" + value.replace(" ", ""));
            }
        });
        assertThat(thresholds)
                .containsExactly(
                        "dev.holdfast.ConditionAwait#threshold=7ms",
                        "dev.holdfast.LatchAwait#threshold=7ms",
                        "dev.holdfast.LockHold#threshold=2s",
                        "dev.holdfast.LockWait#threshold=7ms");
    }
}
