package io.distributionlock.sample.transfer;

import io.distributionlock.sample.web.Resp;
import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The same without the locks, to see what they are good for. Not to be copied. */
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
