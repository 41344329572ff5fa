package io.distributionlock.playground.flashsale;

import io.distributionlock.playground.web.Resp;

/** Why nothing was bought. Each reason has a code for programs and a message for people. */
enum Refusal {
    NOT_STARTED(11, "sale.not-started"),
    ENDED(12, "sale.ended"),
    SOLD_OUT(13, "sale.sold-out"),
    ALREADY_BOUGHT(14, "sale.already-bought");

    private final int code;
    private final String message;

    Refusal(int code, String message) {
        this.code = code;
        this.message = message;
    }

    <T> Resp<T> answer() {
        return Resp.buildFail(code, message);
    }
}
