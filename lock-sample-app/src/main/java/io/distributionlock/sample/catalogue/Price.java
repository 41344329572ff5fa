package io.distributionlock.sample.catalogue;

/**
 * What an item costs, in cents.
 *
 * @param net without tax
 * @param gross with it; always {@link #grossOf} the net price, unless one is seen half-written
 */
public record Price(String item, long net, long gross) {

    private static final int TAX_PERCENT = 20;

    static long grossOf(long net) {
        return net + net * TAX_PERCENT / 100;
    }

    boolean isWhole() {
        return gross == grossOf(net);
    }
}
