package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** The methods of all beans that have this annotation. */
final class LockedPointcut extends StaticMethodMatcherPointcut {
    private final HoldAnnotation annotation;

    LockedPointcut(HoldAnnotation annotation) {
        this.annotation = annotation;
    }

    @Override
    public ClassFilter getClassFilter() {
        return annotation::isCandidate;
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return annotation.isOn(AopUtils.getMostSpecificMethod(method, targetClass));
    }
}
