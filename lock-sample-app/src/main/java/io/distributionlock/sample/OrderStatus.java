package io.distributionlock.sample;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** In requests by its number: 1 to 4. */
enum OrderStatus {
    NOT_SENT,
    SENT,
    COMPLETE,
    /** The only one that an order never leaves. */
    FAILED;

    static OrderStatus of(int number) {
        if (number < 1 || number > values().length) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "There is no status " + number + ": use 1 to 4");
        }
        return values()[number - 1];
    }
}
