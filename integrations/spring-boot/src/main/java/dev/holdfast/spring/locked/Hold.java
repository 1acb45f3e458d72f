package dev.holdfast.spring.locked;

import java.util.OptionalLong;

/** A lock that a method runs under. */
interface Hold {
    String name();

    boolean isValid();

    /** {@return the fencing token, if the lock is fenced} */
    OptionalLong token();
}
