package io.distributionlock.playground.timeline;

import io.distributionlock.playground.web.Resp;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** Records the code of each answer in its request. */
@RestControllerAdvice
class AnswerCode implements ResponseBodyAdvice<Object> {

    static final String ATTRIBUTE = AnswerCode.class.getName();

    @Override
    public boolean supports(MethodParameter method, Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter method,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (body instanceof Resp<?> answer && request instanceof ServletServerHttpRequest servlet) {
            servlet.getServletRequest().setAttribute(ATTRIBUTE, answer.code());
        }
        return body;
    }
}
