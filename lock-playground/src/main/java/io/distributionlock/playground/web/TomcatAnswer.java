package io.distributionlock.playground.web;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.LocaleResolver;
import tools.jackson.databind.ObjectMapper;

/** Turns what Tomcat itself refuses, and what fails outside of Spring MVC, into a {@link Resp} instead of a page. */
class TomcatAnswer extends ErrorReportValve {

    private final LocaleResolver languages;
    private final MessageSource messages;
    private final ObjectMapper json;

    TomcatAnswer(LocaleResolver languages, MessageSource messages, ObjectMapper json) {
        this.languages = languages;
        this.messages = messages;
        this.json = json;
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            response.setCharacterEncoding("UTF-8");
            Writer body = response.getReporter();
            if (body != null) {
                body.write(json.writeValueAsString(answer(status, languages.resolveLocale(request))));
                response.finishResponse();
            }
        } catch (IOException gone) {
            // Nobody is left to answer.
        }
    }

    private Resp<?> answer(int status, Locale language) {
        String refused = messages.getMessage("request.refused", new Object[] {String.valueOf(status)}, language);
        int code = status == 500 ? RespCode.UNEXPECTED : status == 503 ? RespCode.UNAVAILABLE : RespCode.REJECTED;
        String told = messages.getMessage("request." + status, null, null, language);
        return Resp.buildFail(code, told == null ? refused : told);
    }
}
