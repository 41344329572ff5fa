package io.distributionlock.playground.masters;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code distribution-lock.quorum} that the playground needs to start the servers.
 *
 * @param nodes the URIs of the servers
 * @param restartDelay how long a restarted server does not count
 */
@ConfigurationProperties("distribution-lock.quorum")
record MastersProperties(
        @DefaultValue List<String> nodes,
        @DefaultValue("0s") Duration restartDelay) {

    private static final Pattern HERE = Pattern.compile("redis://127\\.0\\.0\\.1:(\\d{1,5})");

    /**
     * The ports on which the playground starts servers: those of plain URIs of this machine. All other nodes belong to the
     * user.
     */
    List<Integer> ownPorts() {
        return nodes.stream()
                .map(node -> HERE.matcher(node.strip()))
                .filter(Matcher::matches)
                .map(node -> Integer.valueOf(node.group(1)))
                .toList();
    }
}
