package io.distributionlock.playground.transfer;

import io.distributionlock.playground.web.BusinessException;
import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. They check the input before any lock is requested. */
@RestController
@RequestMapping("/v1")
class TransferController {

    private final TransferService service;
    private final Accounts accounts;

    TransferController(TransferService service, Accounts accounts) {
        this.service = service;
        this.accounts = accounts;
    }

    @GetMapping("/accounts")
    Resp<List<Account>> accounts(@RequestParam(defaultValue = "") String prefix) {
        return Resp.buildSuccess(accounts.startingWith(prefix));
    }

    @PostMapping("/transfers")
    Resp<List<Account>> transfer(
            @RequestParam @NotBlank String from,
            @RequestParam @NotBlank String to,
            @RequestParam @Positive Long amount) {
        if (from.equals(to)) {
            throw new BusinessException(HttpStatus.BAD_REQUEST, "transfer.same-account");
        }
        return service.transfer(from, to, amount);
    }
}
