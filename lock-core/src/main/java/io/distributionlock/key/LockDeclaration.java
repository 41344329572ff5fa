package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * One {@link DistributionLock} annotation of a method. There is one instance per method and annotation for the lifetime of the
 * application context, so it can be used as a cache key; equality is identity.
 */
public final class LockDeclaration {

    private final Method method;
    private final Class<?> targetClass;
    private final List<Method> methodHierarchy;
    private final DistributionLock annotation;
    private final AttributeNames names;

    LockDeclaration(
            Method method,
            Class<?> targetClass,
            List<Method> methodHierarchy,
            DistributionLock annotation,
            AttributeNames names) {
        this.method = method;
        this.targetClass = targetClass;
        this.methodHierarchy = List.copyOf(methodHierarchy);
        this.annotation = annotation;
        this.names = names;
    }

    /** The locked method of the target class. Its annotation may be on a method that it overrides or implements. */
    public Method method() {
        return method;
    }

    /** The class of the bean, not of its proxy. */
    public Class<?> targetClass() {
        return targetClass;
    }

    /** The annotation, with the attributes of composed annotations merged in. */
    public DistributionLock annotation() {
        return annotation;
    }

    /**
     * What its names have in common: two declarations with the same template make the same name for some arguments, unless a
     * {@link LockKeyResolver} of the application tells them apart.
     */
    public String template() {
        return annotation.key() + " and " + KeyParts.of(this).most() + " parts by " + annotation.delimiter();
    }

    /** The method and every declaration that it overrides or implements, nearest first. */
    List<Method> methodHierarchy() {
        return methodHierarchy;
    }

    /** The declared type of a parameter, as the target class knows it. */
    ResolvableType parameterType(int index) {
        return ResolvableType.forMethodParameter(new MethodParameter(method, index).withContainingClass(targetClass));
    }

    /** Where the lock is declared, for messages. */
    String place() {
        return names.place(method);
    }

    /** The names of the annotation that was written, and of its attributes. */
    AttributeNames names() {
        return names;
    }

    @Override
    public String toString() {
        return "the lock '" + MessageText.of(annotation.key()) + "' on " + MethodText.of(method);
    }
}
