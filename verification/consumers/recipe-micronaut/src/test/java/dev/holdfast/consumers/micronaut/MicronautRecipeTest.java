package dev.holdfast.consumers.micronaut;

import dev.holdfast.Holdfast;
import dev.holdfast.consumers.recipes.RecipeContract;
import io.micronaut.context.ApplicationContext;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Map;

/** The recipe in an application context of Micronaut. */
class MicronautRecipeTest extends RecipeContract {
    /** A bean that uses the client while it is destroyed. */
    @Singleton
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
        ApplicationContext context = ApplicationContext.run(Map.of("holdfast.redis-uri", redisUri));
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
