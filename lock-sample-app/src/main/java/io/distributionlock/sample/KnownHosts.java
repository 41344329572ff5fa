package io.distributionlock.sample;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests to other host names. Nobody has to log in: without this, a web page elsewhere, whose name leads to this machine,
 * could read and change the orders through the browser of a visitor.
 */
@Component
class KnownHosts extends OncePerRequestFilter {

    private final Set<String> known;

    KnownHosts(@Value("${sample.allowed-hosts}") Set<String> known) {
        this.known = known;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (known.contains(request.getServerName())) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }
}
