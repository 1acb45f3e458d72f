package dev.holdfast.cli;

import dev.holdfast.cli.check.Finding;
import java.util.List;
import java.util.stream.Collectors;

/** The findings as JSON: an array of objects, whose members are texts but for {@code where}, an array of them. */
final class CheckJson {
    private CheckJson() {}

    static String of(List<Finding> findings) {
        return findings.stream().map(CheckJson::object).collect(Collectors.joining(",\n ", "[", "]"));
    }

    private static String object(Finding finding) {
        return "{\"level\":" + text(finding.level().word())
                + ",\"check\":" + text(finding.check().word())
                + ",\"where\":"
                + finding.where().stream().map(CheckJson::text).collect(Collectors.joining(",", "[", "]"))
                + ",\"figure\":" + text(finding.figure())
                + ",\"why\":" + text(finding.why())
                + ",\"set\":" + text(finding.set()) + "}";
    }

    private static String text(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.append('"').toString();
    }
}
