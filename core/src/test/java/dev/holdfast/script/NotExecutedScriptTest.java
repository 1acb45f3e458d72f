package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.Refusing;
import dev.holdfast.internal.redis.NotExecutedException;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A script that Redis does not execute, or stops at its first write, has changed nothing. */
@Tag("script")
final class NotExecutedScriptTest {
    private static final Duration LONGER = LEASE.multipliedBy(10);

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    private final Map<String, String> keys = new LinkedHashMap<>();

    private String heldLock(String purpose) {
        String lock = freeLock(purpose);
        scripts.acquireFenced(lock, OWNER, 5, 1, LEASE);
        return lock;
    }

    private String freeLock(String purpose) {
        String lock = scripts.newLock();
        keys.put(purpose, lock);
        keys.put("tokens for " + purpose, RawScripts.tokens(lock));
        return lock;
    }

    private void prepare() {
        String free = freeLock("a free lock");
        commands.put("acquire", () -> scripts.acquire(free, OWNER, 5, 1, LEASE));
        String fenced = freeLock("a free fenced lock");
        commands.put("acquire, fenced", () -> scripts.acquireFenced(fenced, OWNER, 5, 1, LEASE));
        String entered = heldLock("re-entry");
        commands.put("re-entry", () -> scripts.acquire(entered, OWNER, 5, 2, LONGER));
        String adopted = heldLock("adoption");
        commands.put("adoption", () -> scripts.acquireFenced(adopted, OWNER, 6, 1, LONGER));
        String renewed = heldLock("renewal");
        commands.put("renewal", () -> scripts.renew(renewed, OWNER, 5, LONGER));
        String released = heldLock("release");
        commands.put("release", () -> scripts.release(released, OWNER, 5, 0));
        String partly = heldLock("release of a level");
        commands.put("release of a level", () -> scripts.release(partly, OWNER, 5, 1));
        String passed = heldLock("handoff");
        commands.put("handoff", () -> scripts.handoff(passed, OTHER, 6, LONGER, OWNER, 5));
        String passedFenced = heldLock("handoff, fenced");
        commands.put("handoff, fenced", () -> scripts.handoffFenced(passedFenced, OTHER, 6, LONGER, OWNER, 5));
        String forced = heldLock("forced unlock");
        commands.put("forced unlock", () -> scripts.run("force-unlock.lua", List.of(forced), CHANNEL, "PUBLISH", "0"));
    }

    /** Each command is answered with an error that says so, and each key is unchanged, including its lease. */
    @ParameterizedTest
    @EnumSource
    void notExecuted_nothingChanged(Refusing state) {
        prepare();
        Map<String, String> before = content();

        state.begin(scripts.server());
        Map<String, @Nullable NotExecutedException> errors = new LinkedHashMap<>();
        commands.forEach((name, command) -> errors.put(name, errorOf(command)));
        state.end(scripts.server());

        assertThat(errors.values()).doesNotContainNull();
        assertThat(errors.values())
                .allMatch(error -> error != null && error.error().contains(state.name()));
        assertThat(content()).isEqualTo(before);
        assertThat(keys.values()).allMatch(key -> scripts.redis().pttl(key) <= LEASE.toMillis());
    }

    /** A renewal is for many holds, so its reply may contain an error for each as an element. */
    private static @Nullable NotExecutedException errorOf(Supplier<Object> command) {
        AtomicReference<String> element = new AtomicReference<>("");
        Throwable failure = catchThrowable(() -> element.set(String.valueOf(command.get())));
        while (failure != null && !(failure instanceof RedisCommandExecutionException)) {
            failure = failure.getCause();
        }
        return NotExecutedException.of(failure == null ? element.get() : String.valueOf(failure.getMessage()));
    }

    private Map<String, String> content() {
        Map<String, String> content = new LinkedHashMap<>();
        keys.forEach((purpose, key) -> content.put(
                purpose,
                scripts.redis().type(key).equals("hash")
                        ? scripts.hash(key).toString()
                        : String.valueOf(scripts.redis().get(key))));
        return content;
    }
}
