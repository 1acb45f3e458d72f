package dev.holdfast.spring.locked;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.observation.ObservationRegistry;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.transaction.TransactionExecutionListener;

/** Configures what {@link Locked} and {@link Limited} need. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnBean(Holdfast.class)
@ConditionalOnBooleanProperty(name = "holdfast.locked.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LockedProperties.class)
@Import(LockedAutoConfiguration.AutoProxy.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class LockedAutoConfiguration {
    LockedAutoConfiguration() {}

    /** The advisor is created before the last post-processors: Spring warns of what it needs and is no infrastructure. */
    @Bean
    static BeanFactoryPostProcessor holdfastLockedPropertiesRole() {
        return beans -> Stream.of(beans.getBeanNamesForType(LockedProperties.class, false, false))
                .forEach(name -> beans.getBeanDefinition(name).setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethods holdfastLockedMethods(ConfigurableListableBeanFactory beans, LockedProperties properties) {
        return new LockedMethods(new EmbeddedValueResolver(beans), properties);
    }

    /** Outside of that for locks. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor holdfastLimitedAdvisor(
            ConfigurableListableBeanFactory beans,
            LockedMethods methods,
            LockedProperties properties,
            LockedObservation.Source observations) {
        return advisor(HoldAnnotation.LIMITED, beans, methods, properties, observations);
    }

    /** The auto-proxy creator takes infrastructure alone where AspectJ is absent. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor holdfastLockedAdvisor(
            ConfigurableListableBeanFactory beans,
            LockedMethods methods,
            LockedProperties properties,
            LockedObservation.Source observations) {
        return advisor(HoldAnnotation.LOCKED, beans, methods, properties, observations);
    }

    private static DefaultPointcutAdvisor advisor(
            HoldAnnotation annotation,
            ConfigurableListableBeanFactory beans,
            LockedMethods methods,
            LockedProperties properties,
            LockedObservation.Source observations) {
        MethodInterceptor interceptor = new LockedInterceptor(annotation, beans, methods, observations);
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(new LockedPointcut(annotation), interceptor);
        advisor.setOrder(properties.orderOf(annotation));
        return advisor;
    }

    @Bean
    static LockedBeansCheck holdfastLockedBeansCheck(ConfigurableListableBeanFactory beans, LockedMethods methods) {
        return new LockedBeansCheck(beans, methods);
    }

    /** Without a creator there are no proxies; Spring Boot registers the same one, unless a property disables that. */
    static final class AutoProxy implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionExecutionListener.class)
    static class WithTransactions {
        @Bean
        HeldTransactions holdfastHeldTransactions() {
            return new HeldTransactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static class WithObservations {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static MicrometerObservations holdfastLockedObservations(ObjectProvider<ObservationRegistry> registry) {
            return new MicrometerObservations(registry);
        }
    }

    /** An observation has no description, which the help texts of Prometheus are made from. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ObservationRegistry.class, MeterRegistry.class})
    static class WithMeters {
        @Bean
        static MeterFilter holdfastLockedDescriptions() {
            return new LockedDescriptions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("io.micrometer.observation.ObservationRegistry")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static class WithoutObservations {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockedObservation.Source holdfastLockedObservations() {
            return call -> LockedObservation.NONE;
        }
    }
}
