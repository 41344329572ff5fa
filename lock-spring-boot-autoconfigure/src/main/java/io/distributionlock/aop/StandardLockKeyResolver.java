package io.distributionlock.aop;

import io.distributionlock.annotation.DistributionLockParam;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The key, followed by the values of the marked parameters: {@code updateOrderStatus:A1001}. */
final class StandardLockKeyResolver implements LockKeyResolver {

    private final Map<LockDeclaration, List<KeyPart>> parts = new ConcurrentHashMap<>();

    @Override
    public List<String> resolve(LockInvocation invocation) {
        LockDeclaration declaration = invocation.declaration();
        LockNameBuilder name = new LockNameBuilder(
                declaration.annotation().key(), declaration.annotation().delimiter());
        for (KeyPart part : parts.computeIfAbsent(declaration, StandardLockKeyResolver::partsOf)) {
            name.add(textOf(part, declaration.method(), invocation.arguments().get(part.index())));
        }
        return List.of(name.build());
    }

    private static List<KeyPart> partsOf(LockDeclaration declaration) {
        List<KeyPart> found = new ArrayList<>();
        for (int i = 0; i < declaration.method().getParameterCount(); i++) {
            if (isMarked(declaration.methodHierarchy(), i)) {
                found.add(new KeyPart(i, MethodText.parameter(declaration.method(), i)));
            }
        }
        return List.copyOf(found);
    }

    private static boolean isMarked(List<Method> methodHierarchy, int parameter) {
        return methodHierarchy.stream()
                .anyMatch(method -> AnnotatedElementUtils.isAnnotated(
                        method.getParameters()[parameter], DistributionLockParam.class));
    }

    private static String textOf(KeyPart part, Method method, @Nullable Object value) {
        if (value == null) {
            throw new LockKeyException("No lock name can be made for " + MethodText.of(method) + ": "
                    + part.description() + " is null. Pass a value, or take @DistributionLockParam off it.");
        }
        try {
            return KeyText.of(value);
        } catch (KeyText.UnusableValueException e) {
            throw new LockKeyException(
                    "No lock name can be made for " + MethodText.of(method) + ": " + part.description() + " " + e.what()
                            + ". " + e.cure(),
                    e);
        }
    }
}
