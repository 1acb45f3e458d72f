package dev.holdfast.consumers.boot3;

import dev.holdfast.Holdfast;
import dev.holdfast.consumers.recipes.RecipeContract;
import jakarta.annotation.PreDestroy;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The recipe in an application of Spring Boot 3, with the versions of Lettuce and Netty that this manages. */
class Boot3RecipeTest extends RecipeContract {
    /** A bean that uses the client while it is destroyed. */
    static class LastUse {
        private final Holdfast holdfast;

        LastUse(Holdfast holdfast) {
            this.holdfast = holdfast;
        }

        @PreDestroy
        void end() {
            leaveBusy(holdfast);
        }
    }

    @Override
    protected Application start(String redisUri) {
        SpringApplication application =
                new SpringApplication(HoldfastConfiguration.class, Shipping.class, LastUse.class);
        ConfigurableApplicationContext context = application.run(
                "--holdfast.redis-uri=" + redisUri, "--spring.main.banner-mode=off", "--logging.level.root=off");
        return new Application() {
            @Override
            public void ship() throws InterruptedException {
                context.getBean(LastUse.class);
                Shipping shipping = context.getBean(Shipping.class);
                RecipeContract.ship(work -> shipping.ship(ORDER, work), context.getBean(Holdfast.class));
            }

            @Override
            public void close() {
                context.close();
            }
        };
    }
}
