package io.distributionlock.sample.showcase.masters;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.util.List;
import org.springframework.stereotype.Component;

/** Issues many invoices for one order at once. Meanwhile the page kills one of the three servers. */
@Component
class InvoiceScenario implements Scenario {

    private final Invoices invoices;

    InvoiceScenario(Invoices invoices) {
        this.invoices = invoices;
    }

    @Override
    public String name() {
        return "three-masters";
    }

    @Override
    public int requests() {
        return 24;
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        return Call.of("POST", locked, "/orders/" + run + "/invoices");
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        List<Invoice> issued = invoices.of(run);
        long different = issued.stream().map(Invoice::number).distinct().count();
        return List.of(
                new Fact("sameNumber", 0, issued.size() - different),
                new Fact("numberLeftOut", 0, invoices.lastNumber(run) - different));
    }

    @Override
    public void forget(String run) {
        invoices.remove(run);
    }
}
