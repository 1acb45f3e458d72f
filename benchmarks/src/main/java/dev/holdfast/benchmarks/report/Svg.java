package dev.holdfast.benchmarks.report;

import java.util.Locale;

/** A drawing under construction, on a white card, so that it is readable on any page. */
final class Svg {
    /** The alignment of a text relative to its point. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** The style of a text. */
    enum Style {
        TITLE("font-size=\"17\" font-weight=\"600\" fill=\"#1f2328\""),
        SUBTITLE("font-size=\"12.5\" fill=\"#59636e\""),
        LABEL("font-size=\"13.5\" fill=\"#1f2328\""),
        FINE("font-size=\"11.5\" fill=\"#59636e\"");

        private final String attributes;

        Style(String attributes) {
            this.attributes = attributes;
        }
    }

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    Svg text(double x, double y, Anchor anchor, Style style, String text) {
        return add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>",
                x, y, anchor.name().toLowerCase(Locale.ROOT), style.attributes, escaped(text));
    }

    Svg line(double x1, double y1, double x2, double y2, String colour, double thickness) {
        return add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
                x1, y1, x2, y2, colour, thickness);
    }

    Svg dot(double x, double y, double radius, String colour) {
        return add(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1.5\"/>",
                x, y, radius, colour);
    }

    private Svg add(String format, Object... values) {
        body.append("  ").append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
                font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">
                  <rect x="0.5" y="0.5" width="%3$d" height="%4$d" rx="8" fill="#ffffff" stroke="#d1d9e0"/>
                %5$s</svg>
                """.formatted(width, height, width - 1, height - 1, body);
    }
}
