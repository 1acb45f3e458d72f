package dev.holdfast.cli.top;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.WCWidth;

/** Text in the cells of a terminal, of which some characters take two, and some none. */
final class Cells {
    /** At the end of what was cut. */
    private static final String CUT = "~";

    private Cells() {}

    /** {@return the text without what moves the cursor, changes colours, or reverses the direction of writing} Names may have it. */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints().forEach(one -> clean.appendCodePoint(isPrintable(one) ? one : '?'));
        return clean.toString();
    }

    private static boolean isPrintable(int one) {
        return switch (Character.getType(one)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> false;
            default -> true;
        };
    }

    /** {@return how many cells it takes} */
    static int width(String text) {
        return text.codePoints().map(Cells::width).sum();
    }

    private static int width(int one) {
        return Math.max(0, WCWidth.wcwidth(one));
    }

    /** {@return the text in exactly so many cells: cut, or followed by spaces} */
    static String left(String text, int cells) {
        String cut = cut(text, cells);
        return cut + " ".repeat(cells - width(cut));
    }

    /** {@return the text at the end of exactly so many cells} */
    static String right(String text, int cells) {
        String cut = cut(text, cells);
        return " ".repeat(cells - width(cut)) + cut;
    }

    /** {@return the text, or as much of its beginning as fits, with a mark} */
    static String cut(String text, int cells) {
        if (width(text) <= cells) {
            return text;
        }
        return cells < 1 ? "" : beginning(text, cells - 1) + CUT;
    }

    private static String beginning(String text, int cells) {
        int at = 0;
        int left = cells;
        while (at < text.length()) {
            int one = text.codePointAt(at);
            left -= width(one);
            if (left < 0) {
                break;
            }
            at += Character.charCount(one);
        }
        return text.substring(0, at);
    }

    /** {@return the text in lines of at most so many cells, which break at spaces where they can} */
    static List<String> wrapped(String text, int cells) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (width(rest) > cells) {
            String fits = beginning(rest, cells);
            if (fits.isEmpty()) {
                return lines;
            }
            int space = fits.lastIndexOf(' ');
            String line = space > 0 ? fits.substring(0, space) : fits;
            lines.add(line);
            rest = rest.substring(line.length()).stripLeading();
        }
        lines.add(rest);
        return lines;
    }
}
