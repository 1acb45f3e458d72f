package dev.holdfast.spring.locked;

import dev.holdfast.Holdfast;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Refuses to start an application with annotated methods that would run without their lock or permits, or with malformed ones. The
 * client is closed after the beans with such methods, which have no other reference to it.
 */
final class LockedBeansCheck implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final LockedMethods methods;

    LockedBeansCheck(ConfigurableListableBeanFactory beans, LockedMethods methods) {
        this.beans = beans;
        this.methods = methods;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<String> violations = new ArrayList<>();
        FixedNames names = new FixedNames();
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            for (HoldAnnotation annotation : HoldAnnotation.values()) {
                if (type != null && annotation.isCandidate(type)) {
                    check(annotation, name, ClassUtils.getUserClass(type), names, violations);
                }
            }
        }
        if (!violations.isEmpty()) {
            throw new LockedUsageException(violations);
        }
    }

    private void check(
            HoldAnnotation annotation, String name, Class<?> type, FixedNames names, List<String> violations) {
        List<Method> annotated = new ArrayList<>();
        ReflectionUtils.doWithMethods(
                type, annotated::add, method -> !method.isBridge() && !method.isSynthetic() && annotation.isOn(method));
        annotated.forEach(method -> check(annotation, name, method, type, names, violations));
    }

    private void check(
            HoldAnnotation annotation,
            String bean,
            Method method,
            Class<?> type,
            FixedNames names,
            List<String> violations) {
        try {
            LockedMethod locked = methods.of(annotation, method, type);
            String client = nameOfClient(locked.client());
            beans.registerDependentBean(client, bean);
            Stream.of(LockedRules.violation(method, locked), names.violation(client, locked))
                    .filter(Objects::nonNull)
                    .forEach(violation -> violations.add(method + ": " + violation));
        } catch (IllegalArgumentException e) {
            violations.add(method + ": " + e.getMessage());
        }
    }

    private String nameOfClient(String named) {
        if (!named.isEmpty()) {
            if (!beans.containsBean(named) || !beans.isTypeMatch(named, Holdfast.class)) {
                throw new IllegalArgumentException("client names no bean of the type Holdfast: '" + named + "'");
            }
            return named;
        }
        try {
            return beans.resolveNamedBean(Holdfast.class).getBeanName();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new IllegalArgumentException(
                    "there are several clients: name one by the attribute client, or mark one as @Primary", e);
        }
    }
}
