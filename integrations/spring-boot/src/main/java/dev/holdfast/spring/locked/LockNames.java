package dev.holdfast.spring.locked;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/** The names of the locks of calls. */
final class LockNames {
    private final ParameterNameDiscoverer parameters = new DefaultParameterNameDiscoverer();
    private final BeanFactoryResolver beans;

    LockNames(BeanFactory factory) {
        this.beans = new BeanFactoryResolver(factory);
    }

    /**
     * {@return the name of the lock of a call}
     *
     * @throws IllegalArgumentException if the expression has no value
     */
    String of(LockedMethod locked, Object target, Object[] arguments) {
        if (locked.key() == null) {
            return locked.name();
        }
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(target, locked.method(), arguments, parameters);
        context.setBeanResolver(beans);
        Object key = locked.key().getValue(context);
        if (key == null) {
            throw new IllegalArgumentException("the key " + locked.key().getExpressionString() + " of @Locked "
                    + locked.method() + " is null. A parameter is known by its name only if its class was compiled with"
                    + " -parameters; the first one is also #p0");
        }
        return locked.name() + ":" + key;
    }
}
