package dev.holdfast.spring.locked;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a bean under a distributed lock.
 *
 * <pre>{@code
 * @Locked(name = "orders", key = "#order.id", waitFor = "2s")
 * @Transactional
 * public void ship(Order order) {
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Transactions.</b> The lock is acquired before the transaction that the method opens, and released after that has
 * ended. If a transaction is open already when the method is called, the lock is released after the completion of that
 * one, since other owners do not see what it wrote before. In both cases the hold is verified, without a round trip,
 * before the commit: a transaction whose lock was lost is rolled back, and the caller gets a
 * {@link dev.holdfast.LeaseLostException}. A lease can still end during the commit itself; only a fenced lock, and a
 * check of its token beside the data, excludes that.
 *
 * <p><b>Owner.</b> The lock belongs to the calling thread, so a method under a lock may call another one under the same
 * lock, unless one of the two has {@link #keepFor()} or several locks: that is an {@link IllegalStateException}. Where the
 * result is a {@link java.util.concurrent.CompletionStage} or a reactive type, the lock belongs to that
 * result and is released when it has completed; it is not re-entrant. A method with a reactive result acquires the lock
 * for each subscription, without blocking a thread. The lock of a Kotlin {@code suspend} function belongs to the coroutine that runs
 * it, and is held until that has ended, also if it was cancelled or the lock was lost.
 *
 * <p><b>Outcomes.</b> A lock that stays busy is a {@link LockBusyException}, or no call at all ({@link OnBusy#SKIP}). If
 * Redis fails, the caller gets a {@link dev.holdfast.LockException}, and the method is not called. If the release alone is
 * unconfirmed, the lock counted as held until then: the caller gets the result. If the lock may have been lost before, it
 * gets a {@code LockException}, though the method has run and its transaction is committed. A lock that was lost
 * while the method ran is a {@link dev.holdfast.LeaseLostException} of the call, unless the method itself threw: then it
 * is suppressed in that exception.
 *
 * <p><b>Limits.</b> As with every proxy, only calls from other beans are intercepted, and none of a method that is
 * private, final or static, or that the container calls on the bean itself, such as a {@code @PostConstruct} method. An
 * application with such an annotated method does not start, nor one whose methods could not keep a lock for as long as
 * they run, such as a Kotlin {@code suspend} function without {@code kotlinx-coroutines-reactor}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Reflective(LockedReflection.class)
public @interface Locked {
    /** {@return the same as {@link #key()}} */
    @AliasFor("key")
    String value() default "";

    /**
     * {@return an expression (SpEL) for the object that is locked: {@code #order.id}, or {@code #p0} for the first
     * argument, or {@code @bean.property}} Its value is appended to the name, after a colon. Names of parameters are
     * known if the method was compiled with {@code -parameters}. Default: the lock has the name alone.
     *
     * <p>A value that is an {@code Iterable} (other than a {@link java.nio.file.Path}) or an array of objects stands for
     * its elements: the call has the locks of all different ones at once, or none of them
     * ({@link dev.holdfast.MultiLock}), by a lease that the thread does not enter again: an inner call for one of
     * them throws {@link IllegalStateException}. No element, null, a {@code Map}, an array of primitives and an object
     * with the text of {@link Object#toString()} are an {@link IllegalArgumentException}.
     */
    @AliasFor("value")
    String key() default "";

    /**
     * {@return the name of the lock} May contain placeholders such as <code>${shop.name}</code>. Default: the names of
     * the class and of the method, so that methods with a common lock need a name.
     */
    String name() default "";

    /**
     * {@return how long to wait for the lock, as {@code 2s}, {@code 500ms}, {@code PT2S} or a placeholder} {@code 0} does
     * not wait. Default: {@code holdfast.locked.wait-for}, and without that without a limit; for {@link OnBusy#SKIP}, 0.
     */
    String waitFor() default "";

    /**
     * {@return how long Redis keeps the lock, in the form of {@link #waitFor()}; it is not renewed then} Default:
     * {@code holdfast.locked.lease}, and without that the lock is renewed until it is released.
     */
    String lease() default "";

    /**
     * {@return how long the lock stays busy from its acquisition on, in the form of {@link #waitFor()}, whether the method
     * returns before or throws} For tasks that the clocks of several instances start: chosen longer than the clocks differ
     * and shorter than the period, it makes one instance run each of them. The lock is held by a lease then: the thread
     * does not enter it again, and an inner call for it throws {@link IllegalStateException}. If the process dies, the
     * lock is free when its lease ends. A {@link #lease()} must not be shorter. Default: until the method has returned.
     */
    String keepFor() default "";

    /**
     * {@return the name of the {@link dev.holdfast.Holdfast} bean whose locks are used} May contain placeholders. Default:
     * the only one, or the primary one.
     */
    String client() default "";

    /** {@return what happens if the lock stays busy} */
    OnBusy onBusy() default OnBusy.THROW;

    /**
     * {@return whether calls of this method share the lock with others} Default: they do not. All methods whose locks have
     * one name have the same mode, or are {@link LockedMode#READ} and {@link LockedMode#WRITE}. A method that reads may be
     * called by one that writes; a method that writes, called by one that reads, is an {@link IllegalStateException}, since it
     * would wait for its own thread. {@code READ} excludes {@link #keepFor()}, and both exclude {@link #fenced()}.
     */
    LockedMode mode() default LockedMode.EXCLUSIVE;

    /**
     * {@return whether the lock is a fenced one, whose token {@link CurrentLock#token()} returns} Redis keeps the last
     * token of each name for ever, so with a {@link #key()} each object that was ever locked leaves a small key.
     */
    boolean fenced() default false;
}
