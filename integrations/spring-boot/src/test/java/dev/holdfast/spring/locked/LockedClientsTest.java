package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A method may use the locks of another client than the primary one. */
final class LockedClientsTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private static ApplicationContextRunner several() {
        return application
                .runner()
                .withBean("first", Holdfast.class, () -> client("first:"), first -> first.setPrimary(true))
                .withBean("second", Holdfast.class, () -> client("second:"));
    }

    private static Holdfast client(String prefix) {
        return Holdfast.builder()
                .redisUri(application.redis().uri())
                .keyPrefix(prefix)
                .build();
    }

    /** The lock is one of the client that the annotation names, whose name may be a placeholder. */
    @Test
    void client_isNamed() {
        several().withPropertyValues("locks=second").withBean(Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            service.second(() ->
                    assertThat(application.redis().keys()).contains("second:x").doesNotContain("first:x"));
            service.first(() ->
                    assertThat(application.redis().keys()).contains("first:x").doesNotContain("second:x"));
        });
    }

    /** Locks of one name of two clients are different locks: an inner call is no re-entry. */
    @Test
    void nested_areDifferentLocks() {
        several().withPropertyValues("locks=second").withBean(Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            service.first(() -> service.second(() ->
                    service.kept(() -> assertThat(application.redis().keys()).contains("first:x", "second:x"))));
            assertThat(application.redis().keys()).doesNotContain("second:x");
        });
    }

    /** An application with a client that does not exist, or with several and no primary one, does not start. */
    @Test
    void client_mustExist() {
        several().withPropertyValues("locks=third").withBean(Service.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasMessageContainingAll("second(", "third");
        });
    }

    /** With a client that is named, none needs to be the primary one. */
    @Test
    void client_needsNoPrimary() {
        application
                .runner()
                .withBean("first", Holdfast.class, () -> client("first:"))
                .withBean("second", Holdfast.class, () -> client("second:"))
                .withBean(Named.class)
                .run(context ->
                        assertThat(context.getBean(Named.class).isLocked()).isTrue());
    }

    /** An annotation with the annotation has its attributes. */
    @Test
    void meta_isFound() {
        several().withBean(Composed.class).run(context -> assertThat(
                        context.getBean(Composed.class).isLocked(3))
                .isTrue());
    }

    static class Service {
        @Locked(name = "x")
        public void first(Runnable body) {
            body.run();
        }

        @Locked(name = "x", client = "${locks}")
        public void second(Runnable body) {
            body.run();
        }

        @Locked(name = "y", keepFor = "1ms")
        public void kept(Runnable body) {
            body.run();
        }
    }

    static class Named {
        @Locked(name = "x", client = "second")
        public boolean isLocked() {
            return application.redis().keys().contains("second:x");
        }
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Locked(name = "account", key = "#p0", client = "second")
    @interface AccountLocked {}

    static class Composed {
        @AccountLocked
        public boolean isLocked(int account) {
            return application.redis().keys().contains("second:account:" + account);
        }
    }
}
