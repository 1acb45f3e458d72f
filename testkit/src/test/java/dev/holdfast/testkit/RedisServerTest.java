package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The features of a started server, on each executable this machine has. */
final class RedisServerTest {
    static List<RedisBinary> binaries() {
        return Stream.concat(Stream.of(RedisBinary.embedded()), RedisBinary.onPath().stream())
                .distinct()
                .toList();
    }

    /** A started server replies, is empty, stores nothing on disk and reports its version. */
    @ParameterizedTest
    @MethodSource("binaries")
    void start_plain(RedisBinary binary) {
        try (RedisServer server = RedisServer.builder().binary(binary).start()) {
            assertThat(server.isManaged()).isTrue();
            assertThat(server.isRunning()).isTrue();
            assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
            assertThat(server.version()).matches("\\d+\\.\\d+\\.\\d+.*");
            assertThat(server.keys()).isEmpty();
            assertThat(server.command("PING")).isEqualTo("PONG");
            assertThat(server.command("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
            assertThat(server.command("CONFIG", "GET", "appendonly")).isEqualTo(List.of("appendonly", "no"));
        }
    }

    /** Every kind of reply is converted to its Java value, and an error to an exception with the server's message. */
    @Test
    void command_replies() {
        try (RedisServer server = RedisServer.builder().start()) {
            assertThat(server.command("SET", "key", "grüße\r\n")).isEqualTo("OK");
            assertThat(server.command("GET", "key")).isEqualTo("grüße\r\n");
            assertThat(server.command("GET", "absent")).isNull();
            assertThat(server.command("EXISTS", "key")).isEqualTo(1L);
            assertThat(server.command("EVAL", "return {1, 'a', {2}}", "0")).isEqualTo(List.of(1L, "a", List.of(2L)));
            assertThat(server.keys()).containsExactly("key");
            assertThatThrownBy(() -> server.command("INCR", "key"))
                    .isInstanceOf(RedisReplyException.class)
                    .hasMessageContaining("not an integer");
        }
    }

    /** Other connections and their channels are listed; the querying connection is not. */
    @Test
    void channelsAndClients_ofOthers() throws IOException {
        try (RedisServer server = RedisServer.builder().start()) {
            assertThat(server.clients()).isEmpty();
            try (RespConnection other = RespConnection.open(server.endpoint(), ProcessChecks.TIMEOUT)) {
                other.call("SUBSCRIBE", "news");
                assertThat(server.channels()).containsExactly("news");
                assertThat(server.clients()).singleElement().asString().contains("cmd=subscribe");
            }
        }
    }

    /** A paused server does not reply; a resumed one replies to the commands it received meanwhile. */
    @Test
    void pause_thenResume() throws IOException {
        try (RedisServer server = RedisServer.builder().start();
                RespConnection impatient = RespConnection.open(server.endpoint(), ProcessChecks.PAUSE)) {
            server.pause();
            assertThat(server.isRunning()).isTrue();
            assertThatThrownBy(() -> impatient.call("SET", "key", "value")).isInstanceOf(IOException.class);
            server.resume();
            assertThat(server.command("GET", "key")).isEqualTo("value");
        }
    }

    /** A killed server is gone when the call returns, even if it was paused. */
    @Test
    void kill_paused() {
        try (RedisServer server = RedisServer.builder().start()) {
            long pid = server.pid();
            server.pause();
            server.kill();
            assertThat(server.isRunning()).isFalse();
            assertThat(ProcessChecks.isRunning(pid)).isFalse();
            assertThatThrownBy(() -> server.command("PING")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(server::pause).isInstanceOf(IllegalStateException.class);
        }
    }

    /** A stopped server is gone when the call returns, even if it was paused. */
    @Test
    void stop_paused() {
        try (RedisServer server = RedisServer.builder().start()) {
            server.pause();
            server.stop();
            assertThat(server.isRunning()).isFalse();
            assertThat(server.log()).contains("SIGTERM");
        }
    }

    /** A restarted server is another process on the same port and has no data. */
    @ParameterizedTest
    @MethodSource("binaries")
    void restart_empty(RedisBinary binary) {
        try (RedisServer server = RedisServer.builder().binary(binary).start()) {
            int port = server.port();
            long pid = server.pid();
            server.command("SET", "key", "value");
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.keys()).isEmpty();
        }
    }

    /** A persistent server still has the writes it acknowledged, even after a kill. */
    @ParameterizedTest
    @MethodSource("binaries")
    void restart_persistent(RedisBinary binary) {
        try (RedisServer server =
                RedisServer.builder().binary(binary).persistent().start()) {
            server.command("SET", "key", "value");
            server.kill();
            server.restart();
            assertThat(server.command("GET", "key")).isEqualTo("value");
        }
    }

    /** A persistent server can be restarted without its data, and persists later writes. */
    @ParameterizedTest
    @MethodSource("binaries")
    void restartEmpty_persistent(RedisBinary binary) {
        try (RedisServer server =
                RedisServer.builder().binary(binary).persistent().start()) {
            server.command("SET", "before", "value");
            server.restartEmpty();
            assertThat(server.keys()).isEmpty();
            server.command("SET", "after", "value");
            server.restart();
            assertThat(server.keys()).containsExactly("after");
        }
    }

    /** A password is part of the URI, used by the testkit's own commands, and required from others. */
    @Test
    void config_password() throws IOException {
        String password = "s p:a\"c@e";
        try (RedisServer server =
                RedisServer.builder().config("requirepass", password).start()) {
            assertThat(server.uri()).isEqualTo("redis://:s%20p%3Aa%22c%40e@127.0.0.1:" + server.port());
            assertThat(server.command("PING")).isEqualTo("PONG");
            assertThat(Endpoint.parse(server.uri())).isEqualTo(server.endpoint());
            Endpoint anonymous = Endpoint.local(server.port(), null);
            try (RespConnection connection = RespConnection.open(anonymous, ProcessChecks.TIMEOUT)) {
                assertThatThrownBy(() -> connection.call("PING")).hasMessageStartingWith("NOAUTH");
            }
        }
    }

    /** A setting with several values is applied, and overrides the testkit's own. */
    @Test
    void config_overrides() {
        try (RedisServer server = RedisServer.builder()
                .config("save", "3600", "1")
                .config("maxclients", "17")
                .start()) {
            assertThat(server.command("CONFIG", "GET", "save")).isEqualTo(List.of("save", "3600 1"));
            assertThat(server.command("CONFIG", "GET", "maxclients")).isEqualTo(List.of("maxclients", "17"));
        }
    }

    /** A replica has its master's data when the start returns. */
    @ParameterizedTest
    @MethodSource("binaries")
    void replicaOf_inSync(RedisBinary binary) {
        try (RedisServer master = RedisServer.builder()
                .binary(binary)
                .config("requirepass", "secret")
                .start()) {
            master.command("SET", "key", "value");
            try (RedisServer replica =
                    RedisServer.builder().binary(binary).replicaOf(master).start()) {
                assertThat(replica.info("role")).isEqualTo("slave");
                assertThat(replica.command("GET", "key")).isEqualTo("value");
            }
        }
    }

    /** A Unix domain socket exists if requested, and only then. */
    @Test
    void unixSocket_accepts() throws IOException {
        try (RedisServer server = RedisServer.builder().unixSocket().start();
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertThat(channel.connect(UnixDomainSocketAddress.of(server.unixSocket())))
                    .isTrue();
        }
        try (RedisServer server = RedisServer.builder().start()) {
            assertThatThrownBy(server::unixSocket).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Closing leaves neither the process nor its directory, and may be repeated. */
    @Test
    void close_leavesNothing() {
        RedisServer server = RedisServer.builder().start();
        long pid = server.pid();
        Path directory = directoryOf(server);
        assertThat(directory).isDirectory();
        server.pause();
        server.close();
        server.close();
        assertThat(ProcessChecks.isRunning(pid)).isFalse();
        assertThat(directory).doesNotExist();
    }

    private static Path directoryOf(RedisServer server) {
        List<?> reply = (List<?>) Objects.requireNonNull(server.command("CONFIG", "GET", "dir"));
        return Path.of((String) Objects.requireNonNull(reply.get(1)));
    }

    /** A server that fails to start reports the reason from its own log, and leaves nothing behind. */
    @Test
    void start_badConfig() {
        RedisServerBuilder builder = RedisServer.builder().config("no-such-setting", "1");
        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended before it was ready")
                .hasMessageContaining("no-such-setting");
    }

    /** A fixed port that is in use is rejected at once; another server there is not mistaken for ours. */
    @Test
    void start_portTaken() {
        try (RedisServer first = RedisServer.builder().start()) {
            RedisServerBuilder second = RedisServer.builder().port(first.port());
            assertThatThrownBy(second::start).hasMessageContaining("port " + first.port() + " is taken");
        }
    }

    /** An external server accepts commands, but cannot be controlled, and survives being closed. */
    @Test
    void external_isNotControlled() {
        try (RedisServer owned =
                RedisServer.builder().config("requirepass", "secret").start()) {
            try (RedisServer external = RedisServer.at(owned.uri() + "/3")) {
                assertThat(external.isManaged()).isFalse();
                assertThat(external.uri()).isEqualTo(owned.uri() + "/3");
                external.command("SET", "key", "value");
                assertThat(external.keys()).containsExactly("key");
                assertThat(owned.keys()).isEmpty();
                assertThatThrownBy(external::kill)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(RedisServer.EXTERNAL);
            }
            assertThat(owned.isRunning()).isTrue();
        }
    }

    /** No message and no description has the password of a server. */
    @Test
    void password_isInNoMessage() {
        try (RedisServer owned =
                RedisServer.builder().config("requirepass", "secret").start()) {
            RedisServer external = RedisServer.at(owned.uri());
            assertThat(external).asString().doesNotContain("secret").contains("127.0.0.1:" + owned.port());
            assertThat(owned.endpoint()).asString().doesNotContain("secret");
            assertThatThrownBy(external::kill).hasMessageNotContaining("secret");
            owned.kill();
            assertThatThrownBy(() -> external.command("PING"))
                    .hasMessage("no reply from redis://127.0.0.1:" + owned.port())
                    .hasStackTraceContaining("Connection refused");
        }
    }

    /** Nor has the message about a URI that is not one of a server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rediss://:secret@host",
                "redis://:secret@",
                "redis://:secret@a_host:1",
                "redis://user:secret word@host:1",
                "user:secret@host",
                "secret://host",
                "rediss://secret:1/word@host",
                "redis://:secret@host:1/zero"
            })
    void at_badUri(String uri) {
        assertThatThrownBy(() -> RedisServer.at(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the URI of a test server must be redis://")
                .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("secret"));
    }

    private static String stackTrace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    /** The executable can be named by its file, and a wrong one is rejected by name. */
    @Test
    void binary_atFile() {
        Path file = RedisBinary.embedded().executable();
        assertThat(Files.isExecutable(file)).isTrue();
        assertThat(RedisBinary.at(file)).isEqualTo(RedisBinary.embedded());
        assertThatThrownBy(() -> RedisBinary.at(Path.of("/no/such/file")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/no/such/file");
    }
}
