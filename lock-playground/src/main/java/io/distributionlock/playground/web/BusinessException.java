package io.distributionlock.playground.web;

import java.util.Arrays;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.HttpStatus;

/** The request breaks a business rule. The caller gets the message in their language. */
public class BusinessException extends RuntimeException implements MessageSourceResolvable {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String code;
    private final String[] arguments;

    /** The status is one of 4xx; the message has this code and names the arguments. */
    public BusinessException(HttpStatus status, String code, Object... arguments) {
        super(code + Arrays.toString(arguments));
        this.status = status;
        this.code = code;
        // As texts, because a number would get separators.
        this.arguments = Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new);
    }

    HttpStatus status() {
        return status;
    }

    @Override
    public String[] getCodes() {
        return new String[] {code};
    }

    @Override
    public Object[] getArguments() {
        return arguments;
    }
}
