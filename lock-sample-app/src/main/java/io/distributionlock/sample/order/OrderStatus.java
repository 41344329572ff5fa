package io.distributionlock.sample.order;

import com.fasterxml.jackson.annotation.JsonValue;
import io.distributionlock.sample.web.BusinessException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;

/** The status of an order. Requests and answers contain its number. */
public enum OrderStatus {
    /** Not sent yet. */
    NOT_SENT(1, "未发货"),
    /** Sent. */
    SENT(2, "已发货"),
    /** Complete. */
    COMPLETE(3, "完成"),
    /** Failed: the only status that an order never leaves. */
    FAILED(4, "失败");

    private final int code;
    private final String text;

    OrderStatus(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** Returns the status with this number; throws a {@link BusinessException} if there is none. */
    static OrderStatus of(int code) {
        return Arrays.stream(values())
                .filter(status -> status.code == code)
                .findAny()
                .orElseThrow(
                        () -> new BusinessException(HttpStatus.BAD_REQUEST, "未知的订单状态 " + code + ",可用: " + choices()));
    }

    /** The number used in requests and answers. */
    @JsonValue
    public int code() {
        return code;
    }

    /** The name to display. */
    public String text() {
        return text;
    }

    boolean isFinal() {
        return this == FAILED;
    }

    private static String choices() {
        return Arrays.stream(values())
                .map(status -> status.code + " " + status.text)
                .collect(Collectors.joining(", "));
    }
}
