package io.distributionlock.local;

import io.distributionlock.backend.CommandListener;
import java.util.ArrayList;
import java.util.List;

/** Records the messages to a process. */
final class RecordingListener implements CommandListener {

    final List<String> heard = new ArrayList<>();

    @Override
    public void granted(String name, String claim) {
        heard.add("granted " + name + " " + claim);
    }

    @Override
    public void revoked(String name, String claim) {
        heard.add("revoked " + name + " " + claim);
    }

    @Override
    public void listening() {
        heard.add("listening");
    }

    @Override
    public void reconnected() {
        heard.add("reconnected");
    }
}
