package io.distributionlock.sample.web;

import org.springframework.http.HttpStatus;

/** The request breaks a business rule. The message is shown to the caller. */
public class BusinessException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;

    /**
     * @param status the HTTP status to answer with, one of 4xx
     */
    public BusinessException(HttpStatus status, String message) {
        super(message);
        this.status = status;
    }

    HttpStatus status() {
        return status;
    }
}
