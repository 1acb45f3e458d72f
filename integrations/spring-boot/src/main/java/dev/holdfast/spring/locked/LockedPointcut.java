package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/** The annotated methods of all beans. */
final class LockedPointcut extends StaticMethodMatcherPointcut {
    @Override
    public ClassFilter getClassFilter() {
        return type -> AnnotationUtils.isCandidateClass(type, Locked.class);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return LockedMethods.isAnnotated(AopUtils.getMostSpecificMethod(method, targetClass));
    }
}
