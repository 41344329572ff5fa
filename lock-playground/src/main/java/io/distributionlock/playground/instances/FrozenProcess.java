package io.distributionlock.playground.instances;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A process that is stopped by SIGSTOP until this is closed. A shell stops it, and wakes it when its own input ends, so it also
 * goes on if this virtual machine is killed. A stopped process could not even be asked to end.
 */
final class FrozenProcess implements AutoCloseable {

    private static final String STOP_UNTIL_THE_INPUT_ENDS =
            "kill -STOP \"$0\" && echo stopped && read -r end; kill -CONT \"$0\"";

    private final Process shell;

    private FrozenProcess(Process shell) {
        this.shell = shell;
    }

    static FrozenProcess stop(Process process) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", STOP_UNTIL_THE_INPUT_ENDS, String.valueOf(process.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (shell.inputReader().readLine() == null) {
                throw new IllegalStateException("Process " + process.pid() + " could not be stopped");
            }
            return new FrozenProcess(shell);
        } catch (IOException failed) {
            throw new UncheckedIOException("This system has no sh, which could stop a process", failed);
        }
    }

    boolean isStopped() {
        return shell.isAlive();
    }

    @Override
    public void close() throws InterruptedException {
        try {
            shell.getOutputStream().close();
        } catch (IOException ended) {
            // Then it has woken the process already.
        }
        shell.waitFor();
    }
}
