package io.distributionlock.local;

import io.distributionlock.LockExecutor;
import io.distributionlock.test.contract.LockFixture;
import java.util.ArrayList;
import java.util.List;

/** Executors that share one backend in memory. */
final class LocalFixture implements LockFixture {

    private final LocalBackend backend = new LocalBackend();
    private final List<LocalLockExecutor> processes = new ArrayList<>();

    @Override
    public LockExecutor newProcess() {
        LocalLockExecutor process = new LocalLockExecutor(backend);
        processes.add(process);
        return process;
    }

    @Override
    public List<String> traces(String name) {
        return backend.namesInUse().stream().filter(name::equals).toList();
    }

    @Override
    public void close() {
        processes.forEach(LocalLockExecutor::close);
    }
}
