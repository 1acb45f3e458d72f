package dev.holdfast.spring.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Eventually;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever fails between a user and a lock, the lock is free afterwards: each scene is played once per point at which code
 * of Holdfast calls other code, with an error thrown there; one that Reactor signals, and one that it takes for fatal.
 */
@Tag("slow")
final class HoldLeakTest {
    private static final List<Supplier<? extends Error>> ERRORS =
            List.of(() -> new AssertionError("injected"), () -> new NoClassDefFoundError("injected"));

    private static Doors doors;

    @BeforeAll
    static void open() throws Exception {
        doors = (Doors) new WovenClasses()
                .loadClass("dev.holdfast.spring.locked.SpringDoors")
                .getConstructor()
                .newInstance();
    }

    @AfterAll
    static void close() {
        doors.close();
    }

    @TestFactory
    Stream<DynamicTest> lock_isFreeAfterwards() {
        return doors.scenes().entrySet().stream()
                .map(scene -> DynamicTest.dynamicTest(scene.getKey(), () -> assertThat(leaks(scene.getValue()))
                        .isEmpty()));
    }

    private static Set<String> leaks(Doors.Scene scene) {
        Play unharmed = play(scene, 0, ERRORS.get(0));
        assertThat(unharmed.failure()).isNull();
        assertThat(unharmed.points()).isNotEmpty();
        Set<String> leaks = new TreeSet<>();
        for (Supplier<? extends Error> error : ERRORS) {
            int point = 1;
            while (isHarmed(scene, point, error, leaks)) {
                point++;
            }
        }
        return leaks;
    }

    /** {@return whether the scene has this point at all} */
    private static boolean isHarmed(Doors.Scene scene, int point, Supplier<? extends Error> error, Set<String> leaks) {
        Play harmed = play(scene, point, error);
        if (harmed.points().size() < point) {
            return false;
        }
        String where = error.get() + " in " + harmed.points().get(point - 1);
        if (harmed.isEndless()) {
            leaks.add("The caller waits for ever: " + where);
        }
        if (!isFreeSoon()) {
            leaks.add("The lock stays held: " + where);
            doors.forceFree();
        }
        return true;
    }

    /**
     * How a scene went.
     *
     * @param points what it passed, up to the one that failed
     */
    private record Play(List<String> points, @Nullable Throwable failure) {
        boolean isEndless() {
            return failure instanceof TimeoutException
                    || String.valueOf(failure).contains("Timeout on blocking read");
        }
    }

    /** Plays the scene on a thread of its own, which owns nothing from before. */
    private static Play play(Doors.Scene scene, int failing, Supplier<? extends Error> error) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread player = new Thread(() -> {
            try {
                scene.play();
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        ErrorPoints.arm(failing, error);
        player.start();
        try {
            player.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return new Play(ErrorPoints.disarm(), failure.get());
    }

    private static boolean isFreeSoon() {
        if (doors.isFree()) {
            return true;
        }
        try {
            Eventually.await().until(doors::isFree);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }
}
