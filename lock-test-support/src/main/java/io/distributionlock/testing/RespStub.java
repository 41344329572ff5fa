package io.distributionlock.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Something that speaks Redis' protocol and is none: knows a fixed answer to each of a few commands, and says of all others what
 * Redis says of unknown ones. For servers that cannot be had here, such as an old one.
 */
public final class RespStub implements AutoCloseable {

    private final ServerSocket server;
    private final Map<String, String> answers;

    private RespStub(ServerSocket server, Map<String, String> answers) {
        this.server = server;
        this.answers = answers;
    }

    /** @param answers by the first word of the command in capitals: the answer as it is sent, without the last line break */
    public static RespStub start(Map<String, String> answers) throws IOException {
        RespStub stub = new RespStub(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), answers);
        daemon(stub::accept);
        return stub;
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "resp-stub");
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                daemon(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            OutputStream out = client.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer = answer(command(Integer.parseInt(line.substring(1)), in)) + "\r\n";
                out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException gone) {
            // The client has what it wanted.
        }
    }

    /** Reads the words of a command, and gives the first. */
    private static String command(int words, BufferedReader in) throws IOException {
        String first = "";
        for (int i = 0; i < words; i++) {
            int length = Integer.parseInt(in.readLine().substring(1));
            StringBuilder word = new StringBuilder();
            for (int j = 0; j < length; j++) {
                word.append((char) in.read());
            }
            in.readLine();
            first = i == 0 ? word.toString() : first;
        }
        return first;
    }

    private String answer(String command) {
        return answers.getOrDefault(
                command.toUpperCase(Locale.ROOT), "-ERR unknown command '" + command + "', with args beginning with: ");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
