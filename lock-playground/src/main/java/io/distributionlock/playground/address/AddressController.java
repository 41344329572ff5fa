package io.distributionlock.playground.address;

import io.distributionlock.playground.web.Resp;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints. */
@RestController
@RequestMapping("/v1/addresses")
class AddressController {

    private final AddressService service;
    private final Addresses addresses;

    AddressController(AddressService service, Addresses addresses) {
        this.service = service;
        this.addresses = addresses;
    }

    @GetMapping
    Resp<List<Address>> list(@RequestParam @Positive Integer userId) {
        return Resp.buildSuccess(addresses.of(userId));
    }

    @PostMapping
    Resp<Boolean> add(@RequestParam @Positive Integer userId, @RequestParam @NotBlank @Size(max = 128) String street) {
        return service.add(userId, street);
    }
}
