package dev.holdfast.spring.locked;

import dev.holdfast.Holdfast;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;

/** Runs calls of annotated methods under their locks. */
final class LockedInterceptor implements MethodInterceptor {
    private final ObjectProvider<Holdfast> client;
    private final LockedMethods methods;
    private final LockNames names;
    private final LockedObservation.Source observations;

    LockedInterceptor(
            ObjectProvider<Holdfast> client,
            LockedMethods methods,
            LockNames names,
            LockedObservation.Source observations) {
        this.client = client;
        this.methods = methods;
        this.names = names;
        this.observations = observations;
    }

    @Override
    @SuppressWarnings(
            "NullAway") // the arguments may be null, which Spring declares in a way that only JDK 22 and later read
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis(), "a locked method has a target");
        LockedMethod method = methods.of(invocation.getMethod(), AopUtils.getTargetClass(target));
        String name = names.of(method, target, invocation.getArguments());
        LockedCall call = LockedCall.of(method, client.getObject(), name, invocation);
        return switch (method.result()) {
            case FUTURE -> new FutureCalls(observations).invoke(call);
            case REACTIVE -> new ReactiveCalls(observations).invoke(call);
            case VALUE, UNKNOWN -> new BlockingCalls(observations).invoke(call);
        };
    }
}
