package dev.holdfast.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Thrown when the client cannot be built from the configuration of the application, or cannot connect. */
public final class HoldfastStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    HoldfastStartException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** {@return what to do about it} */
    public String action() {
        return action;
    }
}
