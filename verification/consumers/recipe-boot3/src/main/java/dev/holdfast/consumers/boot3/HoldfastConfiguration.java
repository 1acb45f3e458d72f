package dev.holdfast.consumers.boot3;

import dev.holdfast.Holdfast;
import java.time.Duration;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class HoldfastConfiguration implements DisposableBean {
    private final Holdfast holdfast;

    HoldfastConfiguration(@Value("${holdfast.redis-uri}") String redisUri) {
        holdfast = Holdfast.connect(redisUri);
    }

    /** Has no destroy method, which would be close() without a grace period. */
    @Bean(destroyMethod = "")
    Holdfast holdfast() {
        return holdfast;
    }

    /** Runs after all beans that use the client were destroyed. */
    @Override
    public void destroy() {
        holdfast.close(Duration.ofSeconds(5));
    }
}
