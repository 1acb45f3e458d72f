package dev.holdfast;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * In place of {@code @Test}, for a test with an upper limit of a few seconds or less on times that servers, sockets and
 * real threads keep: a machine that stops for so long fails it. A failure in an attempt during which the machine stopped
 * is logged, and the test is repeated; any other failure is a failure. All other tests wait for states, or turn the clock.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(RealTimeExtension.class)
public @interface RealTime {}
