package io.distributionlock.playground.transfer;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import io.distributionlock.playground.work.ShortWork;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Locks both accounts: all or none, and in the order of their names, whichever account pays. So two opposite transfers
 * never deadlock.
 */
@Service
class TransferService {

    private final Accounts accounts;
    private final ShortWork work;

    TransferService(Accounts accounts, ShortWork work) {
        this.accounts = accounts;
        this.work = work;
    }

    @Shown(value = "transfer", things = 2)
    @Transactional
    @DistributionLock(key = "account:#{#from}", tryLockTime = 10_000)
    @DistributionLock(key = "account:#{#to}", tryLockTime = 10_000)
    public Resp<List<Account>> transfer(String from, String to, long amount) {
        Account payer = existing(from);
        Account payee = existing(to);
        if (payer.balance() < amount) {
            throw new BusinessException(HttpStatus.CONFLICT, "transfer.not-covered", from);
        }
        work.run();
        List<Account> changed = Stream.of(
                        new Account(from, payer.balance() - amount), new Account(to, payee.balance() + amount))
                .sorted(Comparator.comparing(Account::account))
                .toList();
        changed.forEach(accounts::save);
        return Resp.buildSuccess("transfer.done", changed);
    }

    private Account existing(String account) {
        return accounts.find(account)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "account.unknown", account));
    }
}
