package io.distributionlock.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The child's side of a {@link ChildProcess}: commands come by standard input, answers go to standard output. */
public final class ParentLink {

    private final PrintStream out;

    /** Takes standard output for the answers; everything else that is printed, such as the log, goes to standard error. */
    public ParentLink() {
        this.out = System.out;
        System.setOut(System.err);
    }

    public void say(String line) {
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }

    /** Hands on each line, and ends this virtual machine when there are no more: the parent has gone. */
    public void listen(Consumer<String> commands) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                commands.accept(line);
            }
        } catch (IOException e) {
            // The parent has gone.
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }
}
