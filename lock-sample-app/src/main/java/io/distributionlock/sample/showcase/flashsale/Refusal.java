package io.distributionlock.sample.showcase.flashsale;

import io.distributionlock.sample.web.Resp;

/** Why nothing was bought. Each reason has a code for programs and a text for people. */
enum Refusal {
    NOT_STARTED(11, "活动尚未开始"),
    ENDED(12, "活动已经结束"),
    SOLD_OUT(13, "商品已售罄"),
    ALREADY_BOUGHT(14, "每人限购一件,您已购买过");

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
