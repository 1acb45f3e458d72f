package dev.holdfast.cli.check;

import java.util.function.Function;
import java.util.function.Supplier;

/** What a server replied to a question, or why that is unknown. */
sealed interface Answer<T> {
    /** The reply. */
    record Known<T>(T value) implements Answer<T> {}

    /**
     * There is none.
     *
     * @param reason the error of the server, or what else went wrong
     */
    record Unknown<T>(String reason) implements Answer<T> {}

    static <T> Answer<T> of(T value) {
        return new Known<>(value);
    }

    static <T> Answer<T> unknown(String reason) {
        return new Unknown<>(reason);
    }

    /** {@return what follows from the reply, or from the reason why there is none} */
    default <R> R fold(Function<? super T, ? extends R> known, Function<String, ? extends R> unknown) {
        return this instanceof Known<T> reply ? known.apply(reply.value) : unknown.apply(reason());
    }

    /** {@return why it is unknown, or nothing} */
    default String reason() {
        return this instanceof Unknown<T> none ? none.reason : "";
    }

    default boolean isKnown() {
        return this instanceof Known;
    }

    default T orElse(T otherwise) {
        return this instanceof Known<T> reply ? reply.value : otherwise;
    }

    default <R> Answer<R> then(Function<? super T, Answer<R>> next) {
        return this instanceof Known<T> reply ? next.apply(reply.value) : unknown(reason());
    }

    default <R> Answer<R> map(Function<? super T, ? extends R> function) {
        return then(value -> of(function.apply(value)));
    }

    /** {@return this, or what another question says if this one has no reply} The reason stays that of this one. */
    default Answer<T> or(Supplier<Answer<T>> other) {
        if (isKnown()) {
            return this;
        }
        Answer<T> second = other.get();
        return second.isKnown() ? second : this;
    }
}
