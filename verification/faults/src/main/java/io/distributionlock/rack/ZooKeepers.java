package io.distributionlock.rack;

import io.distributionlock.faults.ChildProcess;
import io.distributionlock.testing.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An ensemble of three servers of ZooKeeper, each in a process of its own. A session may last as long as a lease. */
final class ZooKeepers implements AutoCloseable {

    static final int COUNT = 3;

    private static final Duration MAX_START = Duration.ofSeconds(60);
    private static final int ANSWER = 1_000;

    private final List<Node> nodes;
    private final Path folder;

    private ZooKeepers(List<Node> nodes, Path folder) {
        this.nodes = nodes;
        this.folder = folder;
    }

    /** Returns when they have a leader. */
    static ZooKeepers start() {
        try {
            Path folder = Files.createTempDirectory("zookeeper");
            List<int[]> ports = IntStream.range(0, COUNT)
                    .mapToObj(i -> new int[] {FreePorts.next(), FreePorts.next(), FreePorts.next()})
                    .toList();
            List<Node> nodes = new ArrayList<>();
            for (int number = 0; number < COUNT; number++) {
                nodes.add(new Node(ports.get(number)[0], configuration(folder, ports, number)));
            }
            ZooKeepers started = new ZooKeepers(nodes, folder);
            nodes.forEach(Node::startAgain);
            started.leader();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path configuration(Path folder, List<int[]> ports, int number) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data-" + number));
        Files.writeString(data.resolve("myid"), String.valueOf(number + 1));
        StringBuilder lines = new StringBuilder("""
                tickTime=500
                initLimit=20
                syncLimit=6
                admin.enableServer=false
                4lw.commands.whitelist=srvr
                clientPortAddress=127.0.0.1
                clientPort=%d
                dataDir=%s
                """.formatted(ports.get(number)[0], data));
        for (int other = 0; other < COUNT; other++) {
            int[] its = ports.get(other);
            lines.append("server.%d=127.0.0.1:%d:%d%n".formatted(other + 1, its[1], its[2]));
        }
        return Files.writeString(folder.resolve("server-" + number + ".cfg"), lines);
    }

    List<Integer> ports() {
        return nodes.stream().map(node -> node.port).toList();
    }

    List<Server> servers() {
        return List.copyOf(nodes);
    }

    /** The number of the present leader; waits for one. */
    int leader() {
        long end = System.nanoTime() + MAX_START.toNanos();
        while (System.nanoTime() < end) {
            for (int number = 0; number < COUNT; number++) {
                if (nodes.get(number).isLeader()) {
                    return number;
                }
            }
            Scene.rest(50);
        }
        throw new IllegalStateException("The servers of ZooKeeper have no leader");
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Node implements Server {

        private final int port;
        private final Path configuration;
        private @org.jspecify.annotations.Nullable ChildProcess process;

        Node(int port, Path configuration) {
            this.port = port;
            this.configuration = configuration;
        }

        private ChildProcess process() {
            return java.util.Objects.requireNonNull(process);
        }

        @Override
        public void kill() {
            process().close();
        }

        @Override
        public void startAgain() {
            process = ChildProcess.start(ZooKeeperServer.class, configuration.toString());
        }

        @Override
        public void pause() {
            process().pause();
        }

        @Override
        public void resume() {
            process().resume();
        }

        boolean isLeader() {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER);
                socket.setSoTimeout(ANSWER);
                socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
                try (BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
                    return in.lines().anyMatch(line -> line.equals("Mode: leader"));
                }
            } catch (IOException | UncheckedIOException notThere) {
                return false;
            }
        }

        void close() {
            if (process != null) {
                process.close();
            }
        }
    }
}
