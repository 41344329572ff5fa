package io.distributionlock.rack;

import io.distributionlock.testing.TcpProxy;
import io.distributionlock.testing.TcpProxy.Direction;
import java.util.List;

/** What one process reaches its servers over: a line to each of them. What is done to it is done to every line. */
record Network(List<TcpProxy> lines) implements AutoCloseable {

    List<Integer> ports() {
        return lines.stream().map(TcpProxy::port).toList();
    }

    void stick(Direction... directions) {
        lines.forEach(line -> line.stick(directions));
    }

    void strand() {
        lines.forEach(TcpProxy::strand);
    }

    void swallow() {
        lines.forEach(TcpProxy::swallow);
    }

    void flow() {
        lines.forEach(TcpProxy::flow);
    }

    void cut() {
        lines.forEach(TcpProxy::cut);
    }

    void leadTo(int port) {
        lines.forEach(line -> line.leadTo(port));
    }

    /** From now on this server is not there for the process. */
    void part(int server) {
        lines.get(server).refuse(true);
        lines.get(server).cut();
    }

    void join(int server) {
        lines.get(server).refuse(false);
    }

    @Override
    public void close() {
        lines.forEach(TcpProxy::close);
    }
}
