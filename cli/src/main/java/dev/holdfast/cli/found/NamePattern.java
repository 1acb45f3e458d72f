package dev.holdfast.cli.found;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.regex.Pattern;

/**
 * A pattern of names, as the command {@code KEYS} of Redis understands it: byte by byte. It is matched here, since the name of a
 * semaphore is a part of its key, and one scan finds those and the locks.
 */
public final class NamePattern {
    private static final Pattern SIMPLE = Pattern.compile("[^\\[\\\\]*");

    private final String glob;
    private final Pattern regex;

    private NamePattern(String glob, Pattern regex) {
        this.glob = glob;
        this.regex = regex;
    }

    public static NamePattern of(String glob) {
        return new NamePattern(glob, Pattern.compile(regex(bytes(glob)), Pattern.DOTALL));
    }

    public boolean matches(String name) {
        return regex.matcher(bytes(name)).matches();
    }

    /** {@return a pattern for Redis, which matches all that contains a name that this one matches} */
    public String ofKeys() {
        return SIMPLE.matcher(glob).matches() ? "*" + glob + "*" : "*";
    }

    /** {@return the text with a character for each of its bytes} */
    private static String bytes(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private static String regex(String glob) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < glob.length()) {
            char next = glob.charAt(at);
            if (next == '[') {
                at = addClass(glob, at + 1, regex);
            } else if (next == '\\' && at + 1 < glob.length()) {
                regex.append(literal(glob.charAt(at + 1)));
                at += 2;
            } else {
                regex.append(
                        switch (next) {
                            case '*' -> ".*";
                            case '?' -> ".";
                            default -> literal(next);
                        });
                at++;
            }
        }
        return regex.toString();
    }

    /**
     * Adds what stands in brackets. A first {@code ]} ends them; without one, the end of the pattern does.
     *
     * @return where the pattern continues
     */
    private static int addClass(String glob, int start, StringBuilder regex) {
        int at = start;
        boolean isNegated = glob.startsWith("^", at);
        if (isNegated) {
            at++;
        }
        StringBuilder members = new StringBuilder();
        while (at < glob.length() && glob.charAt(at) != ']') {
            char member = glob.charAt(at);
            if (member == '\\' && at + 1 < glob.length()) {
                members.append(literal(glob.charAt(at + 1)));
                at += 2;
            } else if (at + 2 < glob.length() && glob.charAt(at + 1) == '-') {
                char other = glob.charAt(at + 2);
                members.append(literal((char) Math.min(member, other)))
                        .append('-')
                        .append(literal((char) Math.max(member, other)));
                at += 3;
            } else {
                members.append(literal(member));
                at++;
            }
        }
        String none = isNegated ? "." : "(?!)";
        regex.append(members.isEmpty() ? none : (isNegated ? "[^" : "[") + members + "]");
        return at + 1;
    }

    private static String literal(char one) {
        return String.format("\\x%02x", (int) one);
    }
}
