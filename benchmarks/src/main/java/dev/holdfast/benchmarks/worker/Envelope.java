package dev.holdfast.benchmarks.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Base64;

/** An object as one line of text, for the pipe between a worker and its parent. */
final class Envelope {
    private Envelope() {}

    static String seal(Serializable content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot be sent: " + content, e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    static <T> T open(Class<T> type, String line) {
        byte[] bytes = Base64.getDecoder().decode(line);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return type.cast(in.readObject());
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("cannot be read: " + line, e);
        }
    }
}
