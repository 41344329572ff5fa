package io.distributionlock.playground.order;

import com.fasterxml.jackson.annotation.JsonValue;
import io.distributionlock.playground.web.BusinessException;
import java.util.Arrays;
import org.springframework.http.HttpStatus;

/** The status of an order. Requests and answers contain its number. */
public enum OrderStatus {
    /** Not sent yet. */
    NOT_SENT(1),
    /** Sent. */
    SENT(2),
    /** Complete. */
    COMPLETE(3),
    /** Failed: the only status that an order never leaves. */
    FAILED(4);

    private final int code;

    OrderStatus(int code) {
        this.code = code;
    }

    /** Returns the status with this number; throws a {@link BusinessException} if there is none. */
    static OrderStatus of(int code) {
        return Arrays.stream(values())
                .filter(status -> status.code == code)
                .findAny()
                .orElseThrow(() -> new BusinessException(HttpStatus.BAD_REQUEST, "order.status.unknown", code));
    }

    /** The number used in requests and answers. */
    @JsonValue
    public int code() {
        return code;
    }

    /** The code of the message with its name. */
    public String text() {
        return "order.status." + code;
    }

    boolean isFinal() {
        return this == FAILED;
    }
}
