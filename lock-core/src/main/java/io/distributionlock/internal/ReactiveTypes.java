package io.distributionlock.internal;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * The reactive types that Spring converts into a publisher and back: of Reactor, RxJava, Mutiny, Kotlin and the JDK. Futures do
 * not count: their work has already begun.
 *
 * @hidden
 */
@Internal
public final class ReactiveTypes {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", ReactiveTypes.class.getClassLoader());

    private ReactiveTypes() {}

    /** The adapter for exactly this type, or {@code null}: a subtype could not be restored. */
    public static @Nullable ReactiveAdapter adapterOf(@Nullable Class<?> type) {
        if (!REACTOR || type == null) {
            return null;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter == null || adapter.getReactiveType() != type) {
            return null;
        }
        return adapter.getDescriptor().isDeferred() ? adapter : null;
    }

    /** The adapter for what the advice of a proxy sees of this method's result, or {@code null}. */
    public static @Nullable ReactiveAdapter adapterOfResult(Method method) {
        return adapterOf(KotlinMethods.becomesMono(method) ? Mono.class : method.getReturnType());
    }

    public static ReactiveAdapter adapterOf(ResolvableType type) {
        ReactiveAdapter adapter = adapterOf(type.resolve());
        if (adapter == null) {
            throw new IllegalStateException(type + " is not reactive");
        }
        return adapter;
    }

    /** A value in this type; {@code null} makes it empty. */
    public static Object wrap(@Nullable Object value, ResolvableType type) {
        return adapterOf(type).fromPublisher(Mono.justOrEmpty(value));
    }
}
