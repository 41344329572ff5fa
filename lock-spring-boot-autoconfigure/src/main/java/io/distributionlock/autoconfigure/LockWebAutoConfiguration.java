package io.distributionlock.autoconfigure;

import io.distributionlock.Lease;
import io.distributionlock.annotation.FencingToken;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Lets controller methods have parameters that the advice fills: Spring would make them of the request, or fail. */
@AutoConfiguration
public final class LockWebAutoConfiguration {

    private static boolean isFilledLater(MethodParameter parameter) {
        return parameter.getParameterType() == Lease.class || parameter.hasParameterAnnotation(FencingToken.class);
    }

    private static @Nullable Object untilThen(MethodParameter parameter) {
        return parameter.getParameterType() == long.class ? 0L : null;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebMvcConfigurer.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Mvc implements WebMvcConfigurer, HandlerMethodArgumentResolver {

        @Override
        public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
            resolvers.add(this);
        }

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return isFilledLater(parameter);
        }

        @Override
        public @Nullable Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer model,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders) {
            return untilThen(parameter);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebFluxConfigurer.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class WebFlux implements WebFluxConfigurer, SyncHandlerMethodArgumentResolver {

        @Override
        public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
            resolvers.addCustomResolver(this);
        }

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return isFilledLater(parameter);
        }

        @Override
        public @Nullable Object resolveArgumentValue(
                MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
            return untilThen(parameter);
        }
    }
}
