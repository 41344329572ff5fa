package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.contestants.Address;
import io.distributionlock.benchmarks.server.Network;
import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workloads.Place;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers of a {@link Place}, and what is between them and their clients. */
final class Site implements AutoCloseable {

    private static final int MASTERS = 3;

    private final List<RedisProcess> servers = new ArrayList<>();
    private final RedisMeter meter;
    private final @Nullable Network network;

    Site(Place place) {
        for (int server = 0; server < (place == Place.THREE_MASTERS ? MASTERS : 1); server++) {
            servers.add(RedisProcess.start(RedisBinary.INSTALLED));
        }
        this.meter = new RedisMeter(ports());
        this.network = place == Place.BEHIND_A_NETWORK ? new Network(ports().get(0)) : null;
    }

    private List<Integer> ports() {
        return servers.stream().map(RedisProcess::port).toList();
    }

    /** What workers connect to. */
    Address address() {
        if (network != null) {
            return Address.single(network.port());
        }
        return servers.size() == 1 ? Address.single(ports().get(0)) : new Address(Address.Kind.QUORUM, ports());
    }

    /** Asks the servers, past the network. */
    RedisMeter meter() {
        return meter;
    }

    /** {@code null} if there is none. */
    @Nullable
    Network network() {
        return network;
    }

    @Override
    public void close() {
        if (network != null) {
            network.close();
        }
        meter.close();
        servers.forEach(RedisProcess::close);
    }
}
