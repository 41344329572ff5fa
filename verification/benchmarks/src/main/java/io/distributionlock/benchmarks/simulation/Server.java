package io.distributionlock.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A Redis: runs one command after the other, and sends what that causes when it has ended. */
final class Server {

    /** Something that a client has asked for. */
    interface Command {

        /** Changes what the server keeps; says for how long the server is busy with it, in nanoseconds. */
        long run();
    }

    private final Host host;
    private final Deque<Command> waiting = new ArrayDeque<>();
    private List<Runnable> outbox = new ArrayList<>();
    private boolean busy;
    private int messages;
    private long commands;
    private long busyNanos;

    Server(Host host) {
        this.host = host;
    }

    /** Commands that have been run. */
    long commands() {
        return commands;
    }

    /** For how long the server was busy. */
    long busyNanos() {
        return busyNanos;
    }

    void arrived(Command command) {
        waiting.add(command);
        if (!busy) {
            next();
        }
    }

    /** Sends something when the command that is being run has ended. */
    void whenDone(Runnable sending) {
        outbox.add(sending);
    }

    /** Sends a message to another client when the current command has ended. */
    void publish(Runnable sending) {
        messages++;
        whenDone(sending);
    }

    /** How many messages the command that is being run has published so far. */
    int messages() {
        return messages;
    }

    private void next() {
        Command command = waiting.poll();
        busy = command != null;
        if (command == null) {
            return;
        }
        messages = 0;
        long nanos = command.run();
        List<Runnable> caused = outbox;
        outbox = new ArrayList<>();
        commands++;
        host.work(nanos, () -> {
            busyNanos += nanos;
            caused.forEach(Runnable::run);
            next();
        });
    }
}
