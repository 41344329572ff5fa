package io.distributionlock.interceptor;

import io.distributionlock.internal.TypeHierarchy;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Registers for native images what locked methods need by reflection: the methods of the bean, including fallbacks, and the
 * members of arguments that are parts of a lock's name.
 */
final class LockedBeanHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        LockMetadataSource methods = new LockMetadataSource(bean.getBeanFactory());
        Class<?> type = bean.getBeanClass();
        return methods.anyIn(type) ? new Contribution(type, methods.allIn(type)) : null;
    }

    private record Contribution(Class<?> type, Collection<LockMetadata> locked)
            implements BeanRegistrationAotContribution {

        @Override
        public void applyTo(GenerationContext generation, BeanRegistrationCode code) {
            ReflectionHints reflection = generation.getRuntimeHints().reflection();
            TypeHierarchy.of(type)
                    .forEach(each -> reflection.registerType(each, MemberCategory.INVOKE_DECLARED_METHODS));
            Set<Type> arguments = new LinkedHashSet<>();
            locked.forEach(method -> arguments.addAll(List.of(method.method().getGenericParameterTypes())));
            new BindingReflectionHintsRegistrar().registerReflectionHints(reflection, arguments.toArray(Type[]::new));
        }
    }
}
