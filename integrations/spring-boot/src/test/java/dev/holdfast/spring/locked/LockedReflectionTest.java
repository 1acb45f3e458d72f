package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** A native image keeps what the expression of an annotated method may refer to. */
final class LockedReflectionTest {
    @Test
    void arguments_areAccessible() throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Service.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Service.class, "ship"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Order.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Service.class, "limited"))
                .accepts(hints);
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, SuspendedService.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(SuspendedService.class, "keyed"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Item.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Other.class)).rejects(hints);
    }

    record Order(int id) {}

    record Other(int id) {}

    static class Service {
        @Locked(name = "orders", key = "#order.id")
        public int ship(Order order) {
            return order.id();
        }

        @Limited(name = "orders", permits = "2")
        public int limited() {
            return CurrentPermits.number();
        }

        public int unlocked(Other other) {
            return other.id();
        }
    }
}
