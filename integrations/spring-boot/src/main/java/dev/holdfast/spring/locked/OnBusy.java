package dev.holdfast.spring.locked;

/** What a call does whose lock, or permits, stay busy. */
public enum OnBusy {
    /** It throws {@link LockBusyException}. */
    THROW,
    /**
     * It does not call the method, and returns null, or an empty {@code Optional}, future or publisher. Not for methods
     * that return a primitive value.
     */
    SKIP
}
