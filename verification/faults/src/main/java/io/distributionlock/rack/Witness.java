package io.distributionlock.rack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Hears the threads of all processes, each over a connection of its own, and answers when it has taken down what one says. */
final class Witness implements AutoCloseable {

    private final ServerSocket listening;
    private volatile History history = new History();

    Witness() {
        try {
            this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** From now on all is taken down here. */
    void takeDownIn(History next) {
        history = next;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                start(() -> hear(socket));
            }
        } catch (IOException closed) {
            // The end.
        }
    }

    /** The first line tells the number of the process and the name of the thread. */
    private void hear(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            socket.setTcpNoDelay(true);
            History mine = history;
            String[] who = in.readLine().split(" ", 2);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                mine.note(Integer.parseInt(who[0]), who[1], System.nanoTime(), line);
                socket.getOutputStream().write('\n');
            }
        } catch (IOException gone) {
            // Killed; what it had said is there.
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "witness");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
