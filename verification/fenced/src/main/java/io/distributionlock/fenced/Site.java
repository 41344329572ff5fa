package io.distributionlock.fenced;

import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RedisSentinels;
import io.distributionlock.testing.ReplicatedRedis;
import io.distributionlock.testing.TcpProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The Redis of the workers. */
interface Site extends AutoCloseable {

    /** The properties by which a worker finds it. */
    List<String> propertiesFor(int worker);

    void flush();

    List<Fault> faults();

    @Override
    void close();

    /** One server, over a network of its own for each worker, and another one that they may be led to. */
    final class OneServer implements Site {

        private final RedisProcess redis = RedisProcess.start(RedisBinary.GIVEN);
        private final RedisProcess other = RedisProcess.start(RedisBinary.GIVEN);
        private final List<TcpProxy> networks = new ArrayList<>();

        OneServer() {
            for (int worker = 0; worker < Workers.COUNT; worker++) {
                networks.add(new TcpProxy(redis.port()));
            }
        }

        @Override
        public List<String> propertiesFor(int worker) {
            return List.of(
                    "--spring.data.redis.host=127.0.0.1",
                    "--spring.data.redis.port=" + networks.get(worker).port());
        }

        @Override
        public void flush() {
            redis.command("FLUSHALL");
        }

        @Override
        public List<Fault> faults() {
            return Fault.ON_ONE_SERVER;
        }

        void cut(int worker, boolean cut) {
            networks.get(worker).refuse(cut);
            networks.get(worker).cut();
        }

        /** Leads the first workers to the other server, or all back. */
        void split(boolean split) {
            for (TcpProxy network : networks.subList(0, Workers.COUNT / 2)) {
                network.leadTo(split ? other.port() : redis.port());
                network.cut();
            }
        }

        @Override
        public void close() {
            networks.forEach(TcpProxy::close);
            redis.close();
            other.close();
        }
    }

    /** A replicated server that Sentinels watch. */
    final class Watched implements Site {

        private final ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.GIVEN, 2);
        private final RedisSentinels sentinels = RedisSentinels.start(RedisBinary.GIVEN, redis);

        @Override
        public List<String> propertiesFor(int worker) {
            return List.of(
                    "--spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
                    "--spring.data.redis.sentinel.nodes="
                            + sentinels.ports().stream()
                                    .map(port -> "127.0.0.1:" + port)
                                    .collect(Collectors.joining(",")));
        }

        private RedisProcess master() {
            return redis.nodes().stream()
                    .filter(node -> node.info("replication", "role").equals("master"))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public void flush() {
            master().command("FLUSHALL");
        }

        @Override
        public List<Fault> faults() {
            return Fault.WITH_SENTINELS;
        }

        /**
         * The replicas hear nothing of the master for a while, and then one of them takes over.
         *
         * @return whether it did; not if the Sentinels have not finished the last time
         */
        boolean failOver() {
            RedisProcess master = master();
            List<RedisProcess> replicas =
                    redis.nodes().stream().filter(node -> node != master).toList();
            replicas.forEach(replica -> credentials(replica, "nobody", "wrong"));
            master.command("CLIENT", "KILL", "TYPE", "replica");
            Section.rest(300);
            try {
                sentinels.failOver();
            } catch (IllegalStateException notNow) {
                return false;
            } finally {
                replicas.forEach(replica -> credentials(replica, "", ""));
            }
            sentinels.awaitMasterOtherThan(master);
            return true;
        }

        private static void credentials(RedisProcess node, String user, String password) {
            node.command("CONFIG", "SET", "masteruser", user);
            node.command("CONFIG", "SET", "masterauth", password);
        }

        @Override
        public void close() {
            sentinels.close();
            redis.close();
        }
    }
}
