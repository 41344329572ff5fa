package io.distributionlock.sample.showcase.page;

import io.distributionlock.sample.web.BusinessException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Refuses the page's commands, which start and kill processes, unless the page itself sends them. Any other web page in
 * the same browser can send requests to this machine, too:
 *
 * <ul>
 *   <li>The header {@link #HEADER} cannot be sent by a page of another origin without asking first, which is refused.
 *   <li>The host must be this machine. A name that somebody else's DNS resolves to this machine makes their page one
 *       of the same origin.
 *   <li>The origin, which browsers add to every command, must be the address under which the page was opened.
 * </ul>
 */
@Configuration(proxyBeanMethods = false)
class OnlyFromThePage implements WebMvcConfigurer, HandlerInterceptor {

    static final String HEADER = "X-Sample-Page";

    private static final Set<String> READ_ONLY = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this)
                .addPathPatterns("/v1/bursts/**", "/v1/instances/**", "/v1/masters/**", "/v1/redis/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!READ_ONLY.contains(request.getMethod()) && !isFromThePage(request)) {
            throw new BusinessException(HttpStatus.FORBIDDEN, "command.refused");
        }
        return true;
    }

    private static boolean isFromThePage(HttpServletRequest request) {
        String host = lowerCase(request.getHeader(HttpHeaders.HOST));
        String origin = lowerCase(request.getHeader(HttpHeaders.ORIGIN));
        return request.getHeader(HEADER) != null
                && THIS_MACHINE.contains(host.replaceFirst(":\\d+$", ""))
                && (origin.isEmpty() || origin.equals("http://" + host) || origin.equals("https://" + host));
    }

    private static String lowerCase(@Nullable String header) {
        return header == null ? "" : header.toLowerCase(Locale.ROOT);
    }
}
