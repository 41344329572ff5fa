package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.Optional;

/** The addresses under which other machines reach this one. */
public final class Network {

    private Network() {}

    /** Nobody listens to other machines on this port. */
    public static void assertNotReachable(int port) throws IOException {
        Optional<InetAddress> other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .findAny();
        assumeThat(other).as("an address in a network").isPresent();

        try (Socket socket = new Socket()) {
            InetSocketAddress there = new InetSocketAddress(other.orElseThrow(), port);
            assertThatThrownBy(() -> socket.connect(there, 5_000)).isInstanceOf(ConnectException.class);
        }
    }
}
