package io.distributionlock.sample.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import org.apache.catalina.Globals;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;

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

    /** Keeps Spring Boot's converter and not the default behind it, whose serializers are no beans. */
    @Override
    public void extendMessageConverters(List<HttpMessageConverter<?>> converters) {
        converters.removeAll(converters.stream()
                .filter(converter -> converter.getClass() == MappingJackson2HttpMessageConverter.class)
                .skip(1)
                .toList());
    }

    /** Refuses parameters that would be misread: Tomcat drops what it cannot decode, and Spring joins or picks repeated ones. */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        request.getParameterMap().forEach((name, values) -> {
            if (values.length > 1) {
                throw new BusinessException(HttpStatus.BAD_REQUEST, "request.repeated", name);
            }
        });
        if (request.getAttribute(Globals.PARAMETER_PARSE_FAILED_ATTR) != null) {
            throw new BusinessException(HttpStatus.BAD_REQUEST, "request.undecodable");
        }
        return true;
    }
}
