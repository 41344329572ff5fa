package io.distributionlock.playground.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Leads from {@code /} to the page. Nothing of Spring receives that request: it is outside of the context path. */
@Component
class RootRedirect implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    @Override
    public void customize(TomcatServletWebServerFactory tomcat) {
        String page = tomcat.getContextPath() + "/";
        if (!page.equals("/")) {
            tomcat.addEngineValves(new ToPage(page));
        }
    }

    private static final class ToPage extends ValveBase {

        private final String page;

        ToPage(String page) {
            super(true);
            this.page = page;
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            // A request that Tomcat could not read has no URI.
            if ("/".equals(request.getRequestURI())) {
                String query = request.getQueryString();
                response.sendRedirect(query == null ? page : page + "?" + query);
            } else {
                getNext().invoke(request, response);
            }
        }
    }
}
