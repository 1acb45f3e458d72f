package dev.holdfast.consumers;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.locked.CurrentLock;
import dev.holdfast.spring.locked.CurrentPermits;
import dev.holdfast.spring.locked.Limited;
import dev.holdfast.spring.locked.Locked;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/**
 * An application with methods under locks. Arguments are what names of beans begin with: a bean for {@code +name} must
 * be there, for {@code -name} none. The addresses are in the environment.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class SpringProgram {
    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(SpringProgram.class, args)) {
            for (String bean : context.getBean(ApplicationArguments.class).getNonOptionArgs()) {
                check(hasBean(context, bean.substring(1)) == bean.startsWith("+"), "bean " + bean);
            }
            Work work = context.getBean(Work.class);
            Holdfast client = context.getBean(Holdfast.class);
            check(work.blocking(), "a blocking method holds its lock");
            checkFree(client, "work:blocking");
            check(failureOf(work::failing).equals("by design"), "a method fails with its own exception");
            checkFree(client, "work:failing");
            check(work.future().toCompletableFuture().join(), "a future holds its lock");
            checkFree(client, "work:future");
            check(Boolean.TRUE.equals(work.reactive().block(Duration.ofSeconds(30))), "a publisher holds its lock");
            checkFree(client, "work:reactive");
            check(work.limited() == 0, "a method has the number of its permit");
        }
    }

    @Bean
    Work work() {
        return new Work();
    }

    private static boolean hasBean(ConfigurableApplicationContext context, String beginning) {
        return Stream.of(context.getBeanDefinitionNames()).anyMatch(name -> name.startsWith(beginning));
    }

    private static String failureOf(Runnable call) {
        try {
            call.run();
            return "";
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    private static void checkFree(Holdfast client, String lock) {
        check(!client.getLock(lock).isLocked(), lock + " is free after the call");
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new AssertionError(rule);
        }
    }

    /** Each method returns whether its lock is held while it runs, or the number of its permit. */
    static class Work {
        @Locked(name = "work:blocking")
        public boolean blocking() {
            return CurrentLock.isHeld("work:blocking");
        }

        @Locked(name = "work:failing")
        public void failing() {
            throw new IllegalStateException("by design");
        }

        @Locked(name = "work:future")
        public CompletionStage<Boolean> future() {
            return CompletableFuture.completedFuture(CurrentLock.isHeld("work:future"));
        }

        @Locked(name = "work:reactive")
        public Mono<Boolean> reactive() {
            return Mono.just(CurrentLock.isHeld("work:reactive"));
        }

        @Limited(name = "work:limited", permits = "2")
        public int limited() {
            return CurrentPermits.number();
        }
    }
}
