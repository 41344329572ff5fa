package io.distributionlock.sample;

/**
 * @param userId who created it or changed it last
 * @param changes how often its status changed: without the lock, two changes at once would count as one
 */
record Order(String orderCode, String item, OrderStatus status, int userId, int changes) {

    Order changedTo(OrderStatus wanted, int byUser) {
        return new Order(orderCode, item, wanted, byUser, changes + 1);
    }
}
