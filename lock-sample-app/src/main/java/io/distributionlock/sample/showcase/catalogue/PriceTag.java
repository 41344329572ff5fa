package io.distributionlock.sample.showcase.catalogue;

import io.distributionlock.sample.showcase.timeline.Shown;
import io.distributionlock.sample.showcase.work.ShortWork;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Component;

/** Reads and writes a price in two steps, between which another request could interfere. */
@Component
class PriceTag {

    private final Prices prices;
    private final ShortWork work;

    PriceTag(Prices prices, ShortWork work) {
        this.prices = prices;
        this.work = work;
    }

    @Shown(value = "read", shared = true)
    public Resp<Price> read(String item) {
        long net = prices.net(item);
        work.run();
        Price price = new Price(item, net, prices.gross(item));
        if (!price.isWhole()) {
            prices.countTornRead(item);
        }
        return Resp.buildSuccess(price);
    }

    @Shown("write")
    public Resp<Price> write(String item, long net) {
        prices.setNet(item, net);
        work.run();
        Price price = new Price(item, net, Price.grossOf(net));
        prices.setGross(item, price.gross());
        return Resp.buildSuccess("价格已更新", price);
    }
}
