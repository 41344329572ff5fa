package io.distributionlock.sample.order;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * An order.
 *
 * @param orderCode what names it
 * @param status where it stands
 * @param updatedBy the user who changed it last, null if nobody did
 */
public record Order(
        String orderCode, OrderStatus status, @Nullable Integer updatedBy) {

    Order changedTo(OrderStatus wanted, int userId) {
        return new Order(orderCode, wanted, userId);
    }

    /** The status in words. */
    @JsonProperty
    public String statusText() {
        return status.text();
    }
}
