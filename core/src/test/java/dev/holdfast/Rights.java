package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** The rights of a Redis user that the page on configuration names. */
public final class Rights {
    private static final List<String> COMMANDS = List.of(
            "+eval",
            "+evalsha",
            "+hget",
            "+hmget",
            "+hset",
            "+hdel",
            "+hgetall",
            "+pttl",
            "+pexpire",
            "+del",
            "+publish",
            "+subscribe",
            "+unsubscribe",
            "+ping",
            "+type");

    private Rights() {}

    /** {@return those of every kind of lock, for these keys and channels, and what this kind needs beside them} */
    public static List<String> of(String keys, String channels, String... more) {
        List<String> rights = new ArrayList<>(List.of(keys, channels));
        rights.addAll(COMMANDS);
        rights.addAll(List.of(more));
        return List.copyOf(rights);
    }

    /** {@return these rights without one of them} */
    public static List<String> without(String right, List<String> rights) {
        List<String> fewer = new ArrayList<>(rights);
        assertThat(fewer.remove(right)).isTrue();
        return fewer;
    }
}
