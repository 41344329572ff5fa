package io.distributionlock.playground.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Keeps other web pages in the same browser out. They, too, can send requests to this machine.
 *
 * <ul>
 *   <li>The origin, which browsers add to every request that changes something, must be the address under which the page
 *       was opened.
 *   <li>The host must be this machine. A name that somebody else's DNS resolves to this machine makes their page one
 *       of the same origin.
 *   <li>Commands, which start and kill processes, also need the header {@link #HEADER}, which a page of another origin
 *       cannot send without asking first, which is refused.
 *   <li>No other page may show this one in a frame, where a visitor would click on what they do not see.
 * </ul>
 *
 * Programs send no origin; they may do without the page what a visitor of a scenario does.
 */
@Configuration(proxyBeanMethods = false)
class OnlyFromThePage implements WebMvcConfigurer, HandlerInterceptor {

    static final String HEADER = "X-Playground-Page";

    private static final Set<String> READ_ONLY = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final List<String> COMMANDS =
            List.of("/v1/bursts/**", "/v1/freezes/**", "/v1/instances/**", "/v1/masters/**", "/v1/redis/**");

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).order(Ordered.HIGHEST_PRECEDENCE);
        registry.addInterceptor(new Commands()).addPathPatterns(COMMANDS).order(Ordered.HIGHEST_PRECEDENCE);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        response.setHeader("X-Frame-Options", "DENY");
        String origin = lowerCase(request.getHeader(HttpHeaders.ORIGIN));
        if (changesSomething(request) && !origin.isEmpty() && !isOfThePage(origin, request)) {
            throw new BusinessException(HttpStatus.FORBIDDEN, "command.refused");
        }
        return true;
    }

    private static final class Commands implements HandlerInterceptor {

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            if (changesSomething(request) && (request.getHeader(HEADER) == null || !isToThisMachine(request))) {
                throw new BusinessException(HttpStatus.FORBIDDEN, "command.refused");
            }
            return true;
        }
    }

    private static boolean changesSomething(HttpServletRequest request) {
        return !READ_ONLY.contains(request.getMethod());
    }

    private static boolean isOfThePage(String origin, HttpServletRequest request) {
        String host = host(request);
        return isToThisMachine(request) && (origin.equals("http://" + host) || origin.equals("https://" + host));
    }

    private static boolean isToThisMachine(HttpServletRequest request) {
        return THIS_MACHINE.contains(host(request).replaceFirst(":\\d+$", ""));
    }

    private static String host(HttpServletRequest request) {
        return lowerCase(request.getHeader(HttpHeaders.HOST));
    }

    private static String lowerCase(@Nullable String header) {
        return header == null ? "" : header.toLowerCase(Locale.ROOT);
    }
}
