package io.distributionlock.benchmarks.simulation;

/** One process's connection to one server. Commands, answers and messages each keep their order. */
final class Connection {

    private final Server server;
    private final Host client;
    private final Network.Way there;
    private final Network.Way back;
    private final long replyNanos;

    Connection(Server server, Host client, Network.Way there, Network.Way back, long replyNanos) {
        this.server = server;
        this.client = client;
        this.there = there;
        this.back = back;
        this.replyNanos = replyNanos;
    }

    /** Sends a command, which may {@link #answer}. */
    void send(Server.Command command) {
        there.send(() -> server.arrived(command));
    }

    /** Called while the server runs a command: sends this back when the command has ended. */
    void answer(Runnable received) {
        server.whenDone(() -> back.send(() -> client.work(replyNanos, received)));
    }

    /** Called while the server runs a command of anybody: sends this to the process when the command has ended. */
    void message(Runnable received) {
        server.publish(() -> back.send(() -> client.work(replyNanos, received)));
    }

    /** How many messages the command that is being run has published so far. */
    int messages() {
        return server.messages();
    }
}
