package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reply of integers and strings, flattened: the elements of nested arrays and maps are read in order. A single
 * integer, which nearly every script of this library returns, is stored without boxing.
 */
final class ReplyOutput extends CommandOutput<byte[], byte[], Void> {
    private static final String NIL = "";

    private long number;
    private boolean lone;
    private boolean many;
    private @Nullable List<Object> elements;

    @SuppressWarnings("NullAway") // a driver's output starts without a value, and this one never has one
    ReplyOutput() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    /** {@return a reply with these elements} */
    static ReplyOutput of(List<Object> elements) {
        ReplyOutput output = new ReplyOutput();
        output.many = true;
        output.elements = elements;
        return output;
    }

    long number() {
        if (lone) {
            return number;
        }
        for (Object element : elements()) {
            if (element instanceof Long found) {
                return found;
            }
        }
        throw new IllegalStateException("the reply has no integer: " + elements());
    }

    /** {@return whether one of its integers is positive} */
    boolean hasPositive() {
        return lone ? number > 0 : elements().stream().anyMatch(element -> element instanceof Long found && found > 0);
    }

    /** {@return whether it has an integer, and the first is at least {@code least} or not positive} */
    boolean isFrom(long least) {
        boolean known = lone || elements().stream().anyMatch(Long.class::isInstance);
        return known && isFrom(number(), least);
    }

    /**
     * {@return whether it is an array with exactly one element for each of these: a text, or an integer that is at
     * least this one or not positive}
     */
    boolean isFromEach(long[] least) {
        List<Object> all = elements();
        boolean from = many && all.size() == least.length;
        for (int i = 0; from && i < least.length; i++) {
            from = all.get(i) instanceof Long found
                    ? isFrom(found, least[i])
                    : !all.get(i).equals(NIL);
        }
        return from;
    }

    private static boolean isFrom(long integer, long least) {
        return integer <= 0 || integer >= least;
    }

    List<Object> elements() {
        if (lone) {
            return List.of(number);
        }
        return elements == null ? List.of() : elements;
    }

    boolean isNoScript() {
        return hasError() && getError().startsWith("NOSCRIPT");
    }

    @Override
    public void set(long integer) {
        if (elements == null && !lone) {
            number = integer;
            lone = true;
            return;
        }
        list().add(integer);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        list().add(bytes == null ? NIL : UTF_8.decode(bytes).toString());
    }

    @Override
    public void set(double value) {
        list().add(Double.toString(value));
    }

    @Override
    public void set(boolean value) {
        list().add(value ? 1L : 0L);
    }

    @Override
    public void multi(int count) {
        many = true; // Flattened: only the elements that follow matter.
    }

    private List<Object> list() {
        List<Object> all = elements;
        if (all == null) {
            all = new ArrayList<>();
            if (lone) {
                all.add(number);
                lone = false;
            }
            elements = all;
        }
        return all;
    }
}
