package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which errors of Redis mean that a command was not executed, in the wording of several servers. */
@Tag("pure")
final class NotExecutedExceptionTest {

    /** These do, also if the error comes from within a script. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                "LOADING Redis is loading the dataset in memory",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "READONLY You can't write against a read only replica.",
                "READONLY You can't write against a read only replica. script: a2a1d5, on @user_script:1.",
                "@user_script: 1: -READONLY You can't write against a read only replica.",
                "NOREPLICAS Not enough good replicas to write.",
                "NOREPLICAS Not enough good replicas to write. script: a2a1d5ba, on @user_script:66.",
                "@user_script: 24: -NOREPLICAS Not enough good replicas to write.",
                "ERR Error running script (call to f_a2a1d5ba46d9): @user_script:66: @user_script: 66: -NOREPLICAS Not"
                        + " enough good replicas to write.",
                "CLUSTERDOWN The cluster is down",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "MOVED 3999 127.0.0.1:6381",
                "ASK 3999 127.0.0.1:6381",
            })
    void notExecuted(String error) {
        assertThat(NotExecutedException.of(error))
                .isNotNull()
                .extracting(NotExecutedException::error)
                .isEqualTo(error);
    }

    /** These do not: the command would be refused again, or may have had an effect. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM this user has no permissions to access one of the keys used as arguments",
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "BUSYGROUP Consumer Group name already exists",
                "BUSYKEY Target key name already exists.",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.",
                "NOSCRIPT No matching script. Please use EVAL.",
                "ERR the key is BUSY at present",
                "MOVED to another town",
                "",
            })
    void other(String error) {
        assertThat(NotExecutedException.of(error)).isNull();
    }

    /** Those of a replica, and no others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'. | true",
                "READONLY You can't write against a read only replica. | true",
                "@user_script: 1: -READONLY You can't write against a read only replica. | true",
                "LOADING Redis is loading the dataset in memory | false",
                "NOREPLICAS Not enough good replicas to write. | false",
                "MOVED 3999 127.0.0.1:6381 | false",
            })
    void isOfReplica(String error, boolean expected) {
        assertThat(Objects.requireNonNull(NotExecutedException.of(error)).isOfReplica())
                .isEqualTo(expected);
    }

    /** A redirection names the slot and the node, in each form that servers use. */
    @ParameterizedTest
    @CsvSource({
        "MOVED 3999 127.0.0.1:6381, MOVED, 3999, 127.0.0.1, 6381",
        "ASK 16383 redis-3.example:6379, ASK, 16383, redis-3.example, 6379",
        "MOVED 0 2001:db8::7:6381, MOVED, 0, 2001:db8::7, 6381",
        "MOVED 7 :6381, MOVED, 7, asked, 6381",
        "MOVED 7 ?:6381, MOVED, 7, asked, 6381",
    })
    void redirection(String error, Redirection.Type type, int slot, String host, int port) {
        Redirection found = Objects.requireNonNull(
                Objects.requireNonNull(NotExecutedException.of(error)).redirection());
        assertThat(found.type()).isEqualTo(type);
        assertThat(found.slot()).isEqualTo(slot);
        assertThat(found.to(new NodeAddress("asked", 1))).isEqualTo(new NodeAddress(host, port));
    }

    /** No other error has one. */
    @Test
    void redirection_ofOthers_isNull() {
        assertThat(Objects.requireNonNull(NotExecutedException.of("TRYAGAIN")).redirection())
                .isNull();
    }

    /** The exception is never thrown, so it needs no stack trace. */
    @Test
    void of_hasNoStack() {
        assertThat(NotExecutedException.of("TRYAGAIN"))
                .isNotNull()
                .extracting(Throwable::getStackTrace)
                .isEqualTo(new StackTraceElement[0]);
    }
}
