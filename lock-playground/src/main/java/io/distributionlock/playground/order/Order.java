package io.distributionlock.playground.order;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.distributionlock.playground.web.LocalizedText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * An order.
 *
 * @param orderCode its unique code
 * @param status its current status
 * @param updatedBy the user who last changed it; null if it never changed
 * @param changes how many times it was changed: without the lock, two changes at once would count as one
 */
public record Order(
        String orderCode, OrderStatus status, @Nullable Integer updatedBy, int changes) {

    Order changedTo(OrderStatus wanted, int userId) {
        return new Order(orderCode, wanted, userId, changes + 1);
    }

    /** The status as text, in JSON in the caller's language. */
    @JsonProperty
    @JsonSerialize(using = LocalizedText.class)
    public String statusText() {
        return status.text();
    }
}
