package io.distributionlock.sample.transfer;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.sample.web.Resp;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Locks both accounts. They are taken in the order of their names, whoever pays, and all or none: so two transfers that go
 * opposite ways never wait for each other in a circle.
 */
@Service
class TransferService {

    private final Transfer transfer;

    TransferService(Transfer transfer) {
        this.transfer = transfer;
    }

    @DistributionLock(key = "account:#{#from}", tryLockTime = 10_000)
    @DistributionLock(key = "account:#{#to}", tryLockTime = 10_000)
    public Resp<List<Account>> transfer(String from, String to, long amount) {
        return transfer.apply(from, to, amount);
    }
}
