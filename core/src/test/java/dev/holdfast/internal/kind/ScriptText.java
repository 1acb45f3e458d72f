package dev.holdfast.internal.kind;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a script reads, writes, publishes and returns, as far as its text says. What is computed counts as {@code <>} in a name or
 * a message. A text that cannot be read in this way is an error, so that nothing is left out.
 *
 * @param name without the extension
 * @param header its first comment
 * @param code without comments, and with what it includes
 */
record ScriptText(String name, String header, String code) {
    private static final Path DIRECTORY = Path.of("src/main/resources/dev/holdfast/internal/kind");

    private static final Set<String> OF_FIELDS = Set.of("'HGET'", "'HSET'", "'HMGET'", "'HDEL'", "'HGETALL'");
    private static final Set<String> OF_KEYS = Set.of("'DEL'", "'PTTL'", "'PEXPIRE'", "'GET'", "'SET'", "'INCR'");
    private static final Set<String> OF_NOTHING = Set.of("'TIME'");

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\(");
    private static final Pattern ANCHORED = Pattern.compile("'(\\^(?:\\(\\S+\\) ?){2,}\\$)'");

    /** Functions whose results the script uses, and does not return. */
    private static final Pattern FUNCTION = Pattern.compile(
            "(?ms)^local function (?:busy|draw|watch|message|clear|writers|readers|admit|leaves|leaveWriters|firstWriter"
                    + "|grantReaders|grantWriter|joinReaders"
                    + "|state|save|parts|writable|stamp|look|give|put|take|leave|serve|write|prolong|change)\\b.*?^end$");

    private static final Pattern RETURNED = Pattern.compile("\\breturn\\b *([^\\n]*)");
    private static final Pattern ELEMENT =
            Pattern.compile("(?m)(?:answers\\[(?:2 \\* i - 1|i)\\]|\\banswer) = (?:true, )?(.+)$");

    /** What the expressions that are returned stand for; empty for what another one says. */
    private static final Map<String, String> MEANING = Map.ofEntries(
            Map.entry("tenure", "tenure"),
            Map.entry("mine", "newer"),
            Map.entry("mine[i]", "newer"),
            Map.entry("older and 0 or tenure", "held"),
            Map.entry("told", "receivers"),
            Map.entry("others", "others"),
            Map.entry("left", "time"),
            Map.entry("now", "time"),
            Map.entry("before", "before"),
            Map.entry("w.count", "waiting"),
            Map.entry("served", "newer"),
            Map.entry("slot", "number"),
            Map.entry("other", "limit"),
            Map.entry("wait", "-left"),
            Map.entry("ahead", "before"),
            Map.entry("stamp()", "time"),
            Map.entry("was", "held"),
            Map.entry("receivers", "receivers"),
            Map.entry("refusal", "error"),
            Map.entry("math.max(0, math.min(place - first, count - 1))", "before"),
            Map.entry("token", "token"),
            Map.entry("written", "error"),
            Map.entry("set", "error"),
            Map.entry("heard.err or time.err", "error"),
            Map.entry("message(failed)", "error"),
            Map.entry("message(answer)", "error"),
            Map.entry("type(answer) == 'table' and answer.err or tostring(answer)", "error"),
            Map.entry("last", "number"),
            Map.entry("result", "result"),
            Map.entry("'0'", "result"),
            Map.entry("'1'", "result"),
            Map.entry("count", "count"),
            Map.entry("lives", "left"),
            Map.entry("how", "how"),
            Map.entry("generation", "generation"),
            Map.entry("since", "since"),
            Map.entry("gone", "gone"),
            Map.entry("refused", "error"),
            Map.entry("answers", "elements"),
            Map.entry("seen", "seen"),
            Map.entry("answers[2 * i - 1] or 0", "0"),
            Map.entry("answer", ""),
            Map.entry("type(answer) == 'table' and answer[1] or answer", ""));

    /** {@return the scripts of all kinds, without the parts that they include} */
    static List<ScriptText> all() {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".lua"))
                    .sorted()
                    .map(ScriptText::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScriptText read(Path file) {
        String text = text(file);
        String header =
                text.lines().takeWhile(line -> line.startsWith("--")).reduce("", (all, line) -> all + line + "\n");
        String whole = Pattern.compile("(?m)^-- include (\\S+)$")
                .matcher(text)
                .replaceAll(part -> Matcher.quoteReplacement(text(DIRECTORY.resolve(part.group(1)))));
        String code = whole.replaceAll("(?m)^\\s*--.*\\n", "");
        return new ScriptText(file.getFileName().toString().replace(".lua", ""), header, code);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- Keys and arguments.

    /** {@return the names of the keys or of the arguments in the header, and behind them ".." if they are repeated} */
    List<String> declared(String array) {
        List<String> names = new ArrayList<>();
        boolean repeated = false;
        for (MatchResult line : Pattern.compile("(?m)^--   " + array + "\\[([^\\]]+)\\] +(\\w+)")
                .matcher(header)
                .results()
                .toList()) {
            names.add(line.group(2));
            repeated |= !line.group(1).matches("\\d+");
        }
        if (repeated) {
            names.add("..");
        }
        return names;
    }

    /** {@return the numbers of the keys or arguments that the header or the code names one by one} */
    static Set<String> numbers(String array, String text) {
        Set<String> numbers = new TreeSet<>();
        Pattern.compile(array + "\\[(\\d+)\\]").matcher(text).results().forEach(at -> numbers.add(at.group(1)));
        return numbers;
    }

    /** {@return the names of the keys that its commands are about} */
    Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        calls(words -> {
            if (OF_FIELDS.contains(words.get(0)) || OF_KEYS.contains(words.get(0))) {
                keys.add(words.get(1));
            }
        });
        return keys;
    }

    /** {@return the commands that it runs, as in ACL rules, but for that which publishes} */
    Set<String> commands() {
        Set<String> commands = new TreeSet<>();
        calls(words -> {
            if (!isPublish(words)) {
                String command = words.get(0).toLowerCase(Locale.ROOT).replace("'", "");
                commands.add(command.equals("pubsub") ? "pubsub|numsub" : command);
            }
        });
        return commands;
    }

    // --- Fields, channels, messages.

    Set<String> fields() {
        Set<String> fields = new TreeSet<>();
        List<String> elsewhere = new ArrayList<>(List.of(code));
        calls(words -> {
            if (OF_FIELDS.contains(words.get(0))) {
                int step = words.get(0).equals("'HSET'") ? 2 : 1;
                for (int i = 2; i < words.size(); i += step) {
                    addField(words.get(i), fields);
                }
            } else if (isPublish(words) || words.get(0).equals("'PUBSUB'")) {
                words.subList(1, words.size())
                        .forEach(word -> elsewhere.set(0, elsewhere.get(0).replace(word, "")));
            }
        });
        Pattern.compile("(?<=[{,=]) *((?:[\\w.\\[\\]]|:match\\([^)]*\\))+ \\.\\. '[^']+'|'[^']+' \\.\\. [^,}\\n]+)")
                .matcher(elsewhere.get(0))
                .results()
                .forEach(text -> addField(text.group(1), fields));
        return fields;
    }

    /** A variable of which a field's name is made up elsewhere, or that of an owner, is a word; a literal that is empty is none. */
    private void addField(String text, Set<String> fields) {
        switch (text) {
            case "''" -> {}
            case "owner", "from", "gone", "client or ''" -> fields.add("<>");
            case "at", "unpack(tenures)", "unpack(fields)", "seen[1] and '' or 'line'" -> {}
            default -> fields.add(pattern(text));
        }
    }

    /** {@return the channels that it publishes on, or whose subscribers it counts} */
    Set<String> channels() {
        Set<String> channels = new TreeSet<>();
        calls(words -> {
            if (isPublish(words)) {
                channels.add(channel(words.get(1)));
            } else if (words.get(0).equals("'PUBSUB'")) {
                words.subList(2, words.size()).forEach(word -> channels.add(channel(word)));
            }
        });
        return channels;
    }

    /** {@return the messages, each behind its channel} */
    Set<String> messages() {
        Set<String> messages = new TreeSet<>();
        calls(words -> {
            if (isPublish(words)) {
                published(words.get(2)).forEach(message -> messages.add(channel(words.get(1)) + " " + message));
            }
        });
        return messages;
    }

    private static boolean isPublish(List<String> words) {
        return words.get(0).equals("publish") || words.get(0).contains("'PUBLISH'");
    }

    private static String channel(String expression) {
        return pattern(expression.replaceFirst("^channel\\b", "'<channel>'"));
    }

    private List<String> published(String expression) {
        Matcher format = Pattern.compile("string\\.format\\('([^']*)'.*").matcher(expression);
        if (format.matches()) {
            return List.of(format.group(1).replaceAll("%\\w", "<>"));
        }
        if (!expression.matches("\\w+")) {
            return List.of(pattern(expression));
        }
        Matcher argument =
                Pattern.compile("ARGV\\[\\d+\\] +" + expression + " +(\\d),").matcher(header());
        if (argument.find()) {
            return List.of(argument.group(1));
        }
        Matcher joined = Pattern.compile("local " + expression + " = table\\.concat\\(\\{(.*)\\}, ' '\\)")
                .matcher(code);
        if (!joined.find()) {
            throw new AssertionError(name + ".lua publishes something unknown: " + expression);
        }
        List<String> parts = split(joined.group(1), ", ");
        List<String> all = new ArrayList<>(List.of("<>" + " <>".repeat(parts.size() - 1)));
        if (parts.get(parts.size() - 1).endsWith(" or nil")) {
            all.add("<>" + " <>".repeat(parts.size() - 2));
        }
        return all;
    }

    /** {@return the text of an expression that joins literals and others} */
    private static String pattern(String expression) {
        StringBuilder text = new StringBuilder();
        for (String part : split(expression, " .. ")) {
            if (part.matches("'[^']*'")) {
                text.append(part, 1, part.length() - 1);
            } else {
                text.append(part.contains(":match('^.*:')") ? "<>:" : "<>");
            }
        }
        return text.toString();
    }

    /** {@return the patterns of values that have several parts} */
    Set<String> formats() {
        Set<String> formats = new TreeSet<>();
        ANCHORED.matcher(code)
                .results()
                .map(found -> found.group(1).replace("%", "\\"))
                .forEach(formats::add);
        return formats;
    }

    /** Calls with the words of each command of Redis. */
    private void calls(Consumer<List<String>> each) {
        for (Matcher call = CALL.matcher(code); call.find(); ) {
            List<String> words = split(code.substring(call.end(), closing(call.end())), ", ");
            String command = words.get(0);
            if (!OF_FIELDS.contains(command)
                    && !OF_KEYS.contains(command)
                    && !OF_NOTHING.contains(command)
                    && !command.equals("'PUBSUB'")
                    && !isPublish(words)) {
                throw new AssertionError(name + ".lua calls an unknown command: " + command);
            }
            each.accept(words);
        }
    }

    private int closing(int from) {
        int depth = 1;
        for (int at = from; at < code.length(); at++) {
            if ("([{".indexOf(code.charAt(at)) >= 0) {
                depth++;
            } else if (")]}".indexOf(code.charAt(at)) >= 0 && --depth == 0) {
                return at;
            }
        }
        throw new AssertionError(name + ".lua has a call without an end");
    }

    /** {@return the parts of an expression, apart from what is in parentheses or quotes} */
    private static List<String> split(String expression, String by) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        boolean quoted = false;
        int from = 0;
        for (int at = 0; at < expression.length(); at++) {
            char c = expression.charAt(at);
            if (c == '\'') {
                quoted = !quoted;
            } else if (!quoted && "([{".indexOf(c) >= 0) {
                depth++;
            } else if (!quoted && ")]}".indexOf(c) >= 0) {
                depth--;
            } else if (!quoted && depth == 0 && expression.startsWith(by, at)) {
                parts.add(expression.substring(from, at).strip());
                from = at + by.length();
            }
        }
        parts.add(expression.substring(from).strip());
        return parts;
    }

    // --- Replies.

    /** {@return its replies, or what their elements can be: the elements of each, separated by commas} */
    Set<String> replies() {
        Set<String> replies = new TreeSet<>();
        String own = FUNCTION.matcher(code).replaceAll("");
        Stream.of(RETURNED, ELEMENT)
                .flatMap(pattern -> pattern.matcher(own).results())
                .map(found -> found.group(1).strip())
                .filter(returned -> !returned.startsWith("pcall("))
                .forEach(returned -> replies.addAll(shapes(returned)));
        replies.remove("");
        return replies;
    }

    private Set<String> shapes(String returned) {
        String known = MEANING.get(returned);
        if (known != null) {
            return Set.of(known);
        }
        if (returned.matches("-?\\d+")) {
            return Set.of(returned);
        }
        if (returned.matches("busy\\([^()]*\\)")) {
            return Set.of("-left");
        }
        if (returned.matches("\\w+\\.err|\\{err = '[^']*'}")) {
            return Set.of("error");
        }
        if (returned.startsWith("{")) {
            List<String> elements = split(returned.substring(1, returned.length() - 1), ", ");
            return Set.of(String.join(", ", elements.stream().map(this::shape).toList()));
        }
        Matcher choice = Pattern.compile(".+? and (\\{.*\\}) or (\\w+)").matcher(returned);
        if (!choice.matches()) {
            throw new AssertionError(name + ".lua returns something unknown: " + returned);
        }
        return Set.of(shape(choice.group(1)), shape(choice.group(2)));
    }

    private String shape(String element) {
        Set<String> shapes = shapes(element);
        if (shapes.size() != 1) {
            throw new AssertionError(name + ".lua returns something ambiguous: " + element);
        }
        return shapes.iterator().next();
    }
}
