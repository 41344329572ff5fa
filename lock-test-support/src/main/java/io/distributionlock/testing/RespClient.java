package io.distributionlock.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection that speaks Redis' protocol and nothing more: it never reconnects, repeats or buffers, so that tests see what
 * the server does and not what a client makes of it.
 */
public final class RespClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream in;

    public RespClient(int port) throws IOException {
        this.socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            this.in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a command and waits for the answer.
     *
     * @return a String, a Long, a List of these, or null
     * @throws IllegalStateException if Redis answers with an error
     */
    public @Nullable Object command(String... words) {
        try {
            send(words);
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", words), e);
        }
    }

    /** Waits for what the server says without being asked, after MONITOR for example. */
    public @Nullable Object next() {
        try {
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(String... words) throws IOException {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            command.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            command.writeBytes(bytes);
            command.writeBytes(new byte[] {'\r', '\n'});
        }
        socket.getOutputStream().write(command.toByteArray());
    }

    private @Nullable Object read() throws IOException {
        String line = readLine();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case ':' -> Long.parseLong(rest);
            case '-' -> throw new IllegalStateException("Redis answered: " + rest);
            case '$' -> readText(Integer.parseInt(rest));
            case '*' -> readList(Integer.parseInt(rest));
            default -> throw new IOException("Not RESP2: " + line);
        };
    }

    private @Nullable String readText(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        readLine();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> readList(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            list.add(read());
        }
        return list;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("Redis closed the connection");
            }
            if (next == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            if (next != '\r') {
                line.write(next);
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
