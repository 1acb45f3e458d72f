package dev.holdfast.spring.locked;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Locale;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** The annotations of methods whose calls hold something; a call of a method with both acquires in this order. */
enum HoldAnnotation {
    LIMITED(Limited.class, "semaphore", "semaphore.callPermitted(..)"),
    LOCKED(Locked.class, "lock", "lock.callLocked(..)");

    private final Class<? extends Annotation> type;
    private final String noun;
    private final String replacement;

    HoldAnnotation(Class<? extends Annotation> type, String noun, String replacement) {
        this.type = type;
        this.noun = noun;
        this.replacement = replacement;
    }

    /** {@return what is held} */
    String noun() {
        return noun;
    }

    /** {@return what a method calls instead if its calls cannot be intercepted} */
    String replacement() {
        return replacement;
    }

    /** {@return the name in lower case} */
    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return whether methods of this class may have the annotation} */
    boolean isCandidate(Class<?> bean) {
        return AnnotationUtils.isCandidateClass(bean, type);
    }

    /** {@return whether the method has the annotation, itself or on an interface or a class above} */
    boolean isOn(Method method) {
        return of(method).isPresent();
    }

    MergedAnnotation<?> of(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(type);
    }

    @Override
    public String toString() {
        return "@" + type.getSimpleName();
    }
}
