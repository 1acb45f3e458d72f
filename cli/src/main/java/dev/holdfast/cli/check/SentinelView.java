package dev.holdfast.cli.check;

import java.util.Map;

/**
 * The answers of one sentinel.
 *
 * @param master the address of the master that it names
 * @param state the fields of SENTINEL MASTER
 * @param subscription whether it reports failovers
 */
record SentinelView(
        String address, Answer<String> master, Answer<Map<String, String>> state, Answer<Boolean> subscription) {
    Answer<Long> number(String field) {
        return state.then(fields -> {
            String value = fields.get(field);
            return value == null ? Answer.unknown("SENTINEL MASTER has no " + field) : Answer.of(Long.parseLong(value));
        });
    }
}
