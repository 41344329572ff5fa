package io.distributionlock.benchmarks.simulation;

import io.distributionlock.benchmarks.contestants.Contestants;
import java.util.function.IntFunction;

/** Ways to build a distributed lock. */
enum Design {
    /** This library: the release makes the next waiter the owner. */
    HAND_OVER(Contestants.LIBRARY) {
        @Override
        IntFunction<LockClient> clients(World world, IntFunction<Host> hosts, int threads) {
            EngineServers servers = new EngineServers(world);
            return number -> new EngineClient(world, servers, hosts.apply(number), "p" + number, threads);
        }
    },
    /** The release notifies every waiting process, and all of them try again. */
    BROADCAST(Simulations.BROADCAST) {
        @Override
        IntFunction<LockClient> clients(World world, IntFunction<Host> hosts, int threads) {
            TokenServers servers = new TokenServers(world);
            return number -> new BroadcastClient(world, servers, hosts.apply(number), "p" + number);
        }
    },
    /** Nobody is notified; waiters try again and again. */
    POLLING(Simulations.POLLING) {
        @Override
        IntFunction<LockClient> clients(World world, IntFunction<Host> hosts, int threads) {
            TokenServers servers = new TokenServers(world);
            return number -> new PollingClient(world, servers, hosts.apply(number), "p" + number);
        }
    };

    /** Its name in the report. */
    final String contestant;

    Design(String contestant) {
        this.contestant = contestant;
    }

    /** Makes the clients of processes by their numbers, before any time has passed. */
    abstract IntFunction<LockClient> clients(World world, IntFunction<Host> hosts, int threads);
}
