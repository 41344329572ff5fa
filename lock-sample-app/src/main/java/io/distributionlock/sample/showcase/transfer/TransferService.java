package io.distributionlock.sample.showcase.transfer;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.sample.web.Resp;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Locks both accounts: all or none, and in the order of their names, whichever account pays. So two opposite transfers
 * never deadlock.
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
