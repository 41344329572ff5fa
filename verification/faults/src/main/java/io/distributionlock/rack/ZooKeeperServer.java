package io.distributionlock.rack;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distributionlock.faults.ParentLink;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.slf4j.LoggerFactory;

/** The program of one server of ZooKeeper, which ends with its parent. Its argument is the file of its configuration. */
final class ZooKeeperServer {

    private ZooKeeperServer() {}

    public static void main(String[] arguments) {
        quiet();
        ParentLink parent = new ParentLink();
        Thread server = new Thread(() -> QuorumPeerMain.main(arguments), "server");
        server.setDaemon(true);
        server.start();
        parent.listen(line -> {});
    }

    /** Without configuration, ZooKeeper and its clients log each step. */
    static void quiet() {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.ERROR);
    }
}
