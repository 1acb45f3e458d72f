package dev.holdfast.spring.locked;

import dev.holdfast.Holdfast;
import java.util.List;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;

/** Runs calls of methods with an annotation under what it names. */
final class LockedInterceptor implements MethodInterceptor {
    private final BeanFactory beans;
    private final HoldAnnotation annotation;
    private final LockedMethods methods;
    private final LockNames names;
    private final LockedObservation.Source observations;

    LockedInterceptor(
            HoldAnnotation annotation,
            BeanFactory beans,
            LockedMethods methods,
            LockedObservation.Source observations) {
        this.annotation = annotation;
        this.beans = beans;
        this.methods = methods;
        this.names = new LockNames(beans);
        this.observations = observations;
    }

    @Override
    @SuppressWarnings(
            "NullAway") // the arguments may be null, which Spring declares in a way that only JDK 22 and later read
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis(), "a locked method has a target");
        LockedMethod method = methods.of(annotation, invocation.getMethod(), AopUtils.getTargetClass(target));
        List<String> lockNames = names.of(method, target, invocation.getArguments());
        Target claimed = method.claim().target(client(method.client()), lockNames);
        LockedCall call = LockedCall.of(method, claimed, invocation);
        return switch (method.result()) {
            case FUTURE -> new FutureCalls(observations).invoke(call);
            case REACTIVE, SUSPENDING -> new ReactiveCalls(observations).invoke(call);
            case VALUE, UNKNOWN -> new BlockingCalls(observations).invoke(call);
        };
    }

    private Holdfast client(String bean) {
        return bean.isEmpty() ? beans.getBean(Holdfast.class) : beans.getBean(bean, Holdfast.class);
    }
}
