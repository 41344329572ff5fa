package io.distributionlock.playground;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** Sends requests that a client of Java would refuse to send. */
public final class RawRequest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private RawRequest() {}

    /** Sends the target and the headers exactly as they are. A "Host" among them replaces the right one. */
    public static Answer send(int port, String method, String target, String... headers) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nConnection: close\r\n");
        if (Arrays.stream(headers).noneMatch(header -> header.startsWith("Host:"))) {
            request.append("Host: localhost\r\n");
        }
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        long begin = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int body = answer.indexOf("\r\n\r\n") + 4;
            int status = Integer.parseInt(answer.substring(9, 12));
            return new Answer(status, jsonOf(answer.substring(body)), Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    /** Without the lengths of its chunks. */
    private static String jsonOf(String body) {
        int begin = body.indexOf('{');
        return begin < 0 ? body : body.substring(begin, body.lastIndexOf('}') + 1);
    }
}
