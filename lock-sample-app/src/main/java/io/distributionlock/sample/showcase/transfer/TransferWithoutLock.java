package io.distributionlock.sample.showcase.transfer;

import io.distributionlock.sample.web.Resp;
import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the locks, for comparison only. Do not copy it. */
@RestController
class TransferWithoutLock {

    private final Transfer transfer;

    TransferWithoutLock(Transfer transfer) {
        this.transfer = transfer;
    }

    @PostMapping("/v1/without-lock/transfers")
    Resp<List<Account>> transfer(@RequestParam String from, @RequestParam String to, @RequestParam Long amount) {
        return transfer.apply(from, to, amount);
    }
}
