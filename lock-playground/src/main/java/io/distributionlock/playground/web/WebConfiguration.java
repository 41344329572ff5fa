package io.distributionlock.playground.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
import tools.jackson.databind.ObjectMapper;

/** The language of the answers, and what applies to every request. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer, HandlerInterceptor {

    /** Chinese, unless the caller accepts English and prefers it. */
    @Bean
    static AcceptHeaderLocaleResolver localeResolver() {
        AcceptHeaderLocaleResolver languages = new AcceptHeaderLocaleResolver();
        languages.setDefaultLocale(Locale.CHINESE);
        languages.setSupportedLocales(List.of(Locale.CHINESE, Locale.ENGLISH));
        return languages;
    }

    @Bean
    static WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatAnswers(
            AcceptHeaderLocaleResolver languages, MessageSource messages, ObjectMapper json) {
        return server -> server.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new TomcatAnswer(languages, messages, json)));
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).order(Ordered.HIGHEST_PRECEDENCE);
    }

    /** Refuses parameters that would be misread: Spring joins or picks repeated ones. */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        parametersOf(request).forEach((name, values) -> {
            if (values.length > 1) {
                throw new BusinessException(HttpStatus.BAD_REQUEST, "request.repeated", name);
            }
        });
        return true;
    }

    private static Map<String, String[]> parametersOf(HttpServletRequest request) {
        try {
            return request.getParameterMap();
        } catch (InvalidParameterException undecodable) {
            throw new BusinessException(HttpStatus.BAD_REQUEST, "request.undecodable");
        }
    }
}
