package io.distributionlock.playground.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests to a host name that is not this application's. Otherwise a web page elsewhere, whose name its owner lets point to this
 * machine, would be of the same origin: it could read and change everything with a visitor's browser.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class KnownHosts extends OncePerRequestFilter {

    private static final String ANY = "*";

    private final Set<String> known = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));

    /** @param more names besides those of the loopback interface; {@code *} for any */
    KnownHosts(@Value("${playground.allowed-hosts:}") List<String> more) {
        more.forEach(name -> known.add(name.strip().toLowerCase(Locale.ROOT)));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Browsers always name it.
        String host = request.getHeader(HttpHeaders.HOST);
        if (host == null || known.contains(ANY) || known.contains(withoutPort(host))) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }

    private static String withoutPort(String host) {
        return host.strip().toLowerCase(Locale.ROOT).replaceFirst(":\\d*$", "");
    }
}
