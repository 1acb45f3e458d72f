package dev.holdfast.spring.locked;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method of a bean with a permit of a {@link dev.holdfast.DistributedSemaphore}: at most so many calls at once, over all
 * instances.
 *
 * <pre>{@code
 * @Limited(name = "geocoder", permits = "${geocoder.limit:4}", waitFor = "2s")
 * public Place locate(String address) {
 *     ...
 * }
 * }</pre>
 *
 * <p>What {@link Locked} says of outcomes, of limits and of results that complete later applies here, with {@link LockBusyException}
 * for permits that stay busy. What differs:
 *
 * <p><b>Owner.</b> Permits belong to the call. A thread that has permits of a semaphore, and calls another method with the
 * same one, would wait for itself: that is an {@link IllegalStateException}. {@link CurrentPermits#number()} is the worker number
 * of the call.
 *
 * <p><b>Transactions.</b> The permits are acquired before the transaction that the method opens, and released after that has
 * ended; they are verified before its commit. A transaction that is open already does not keep them: they are released when
 * the method returns.
 *
 * <p><b>With {@code @Locked}.</b> A method with both acquires the permits first, and then the lock: while it waits for the lock, it
 * counts as a call.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Reflective(LockedReflection.class)
public @interface Limited {
    /**
     * {@return how many permits there are, as {@code 4} or a placeholder} All methods with a semaphore, in all instances, name the
     * same number; while a new one is rolled out, each call counts by its own ({@link dev.holdfast.DistributedSemaphore}).
     */
    String permits();

    /** {@return how many of the permits a call acquires, in the form of {@link #permits()}} */
    String take() default "1";

    /**
     * {@return an expression (SpEL) for the object that has a semaphore of its own, as {@link Locked#key()}} A collection is an
     * {@link IllegalArgumentException}. Default: the semaphore has the name alone.
     */
    String key() default "";

    /**
     * {@return the name of the semaphore} May contain placeholders. Default: the names of the class and of the method. A lock of the
     * same name is another thing.
     */
    String name() default "";

    /**
     * {@return how long to wait for the permits, as {@code 2s}, {@code 500ms}, {@code PT2S} or a placeholder} {@code 0} does
     * not wait. Default: {@code holdfast.locked.wait-for}, and without that without a limit; for {@link OnBusy#SKIP}, 0.
     */
    String waitFor() default "";

    /**
     * {@return how long Redis keeps the permits, in the form of {@link #waitFor()}; they are not renewed then} Default:
     * {@code holdfast.locked.lease}, and without that they are renewed until they are released.
     */
    String lease() default "";

    /**
     * {@return how long the permits stay busy from their acquisition on, in the form of {@link #waitFor()}, whether the method
     * returns before or throws} It makes a rate of the limit: so many calls in that time. A {@link #lease()} must not be
     * shorter. Default: until the method has returned.
     */
    String keepFor() default "";

    /** {@return the name of the client, as {@link Locked#client()}} */
    String client() default "";

    /** {@return what happens if the permits stay busy} */
    OnBusy onBusy() default OnBusy.THROW;
}
