package dev.holdfast.cli.check;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks one server: every command is a question, whose error is an answer, too. */
final class Link implements AutoCloseable {
    /** How the reason begins if there was no reply at all. */
    static final String NO_ANSWER = "no answer";

    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final StatefulRedisConnection<String, String> connection;

    Link(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
    }

    /** {@return the elements of the reply, or its one value as the only element} */
    Answer<List<Object>> ask(String... words) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        for (String word : List.of(words).subList(1, words.length)) {
            arguments.add(word);
        }
        return await(
                connection.async().dispatch(new Word(words[0]), new NestedMultiOutput<>(StringCodec.UTF8), arguments));
    }

    static <T> Answer<T> await(RedisFuture<T> reply) {
        try {
            return Answer.of(reply.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            String message =
                    String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
            return Answer.unknown(message.matches("[A-Z]+ .*") ? message : NO_ANSWER + ": " + message);
        } catch (TimeoutException e) {
            reply.cancel(true);
            return Answer.unknown(NO_ANSWER + " within " + TIMEOUT.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.unknown(NO_ANSWER + ": interrupted");
        }
    }

    /** {@return the reply as one text} */
    Answer<String> text(String... words) {
        return ask(words)
                .then(reply ->
                        reply.isEmpty() ? Answer.unknown("an empty reply") : Answer.of(String.valueOf(reply.get(0))));
    }

    /** {@return the fields of a reply that has a name and a value by turns} */
    Answer<Map<String, String>> fields(String... words) {
        return ask(words).map(Link::fields);
    }

    static Map<String, String> fields(List<?> reply) {
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < reply.size(); i += 2) {
            fields.put(String.valueOf(reply.get(i)), String.valueOf(reply.get(i + 1)));
        }
        return fields;
    }

    /** {@return the fields of INFO} */
    Answer<Map<String, String>> info() {
        return text("INFO").map(text -> {
            Map<String, String> fields = new HashMap<>();
            text.lines().forEach(line -> {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.put(line.substring(0, colon), line.substring(colon + 1));
                }
            });
            return fields;
        });
    }

    @Override
    public void close() {
        connection.close();
    }
}
