package io.distributionlock.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A Redis that speaks TLS at a second port. */
public final class TlsRedis implements AutoCloseable {

    private final TestCertificate trusted;
    private final RedisProcess redis;
    private final int tlsPort;

    private TlsRedis(TestCertificate trusted, RedisProcess redis, int tlsPort) {
        this.trusted = trusted;
        this.redis = redis;
        this.tlsPort = tlsPort;
    }

    /** @param trusted of clients */
    public static TlsRedis start(TestCertificate certificate, TestCertificate trusted, String... options) {
        int tlsPort = FreePorts.next();
        List<String> all = new ArrayList<>(List.of(
                "--tls-port",
                String.valueOf(tlsPort),
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-ca-cert-file",
                trusted.certificate().toString()));
        all.addAll(Arrays.asList(options));
        RedisProcess redis = RedisProcess.start(RedisBinary.GIVEN, all.toArray(String[]::new));
        return new TlsRedis(trusted, redis, tlsPort);
    }

    /** The port without TLS. */
    public int port() {
        return redis.port();
    }

    public int tlsPort() {
        return tlsPort;
    }

    /** The files of the certificates have another content by now. */
    public void readCertificates() {
        Object answer = redis.command(
                "CONFIG", "SET", "tls-ca-cert-file", trusted.certificate().toString());
        if (!"OK".equals(answer)) {
            throw new IllegalStateException(String.valueOf(answer));
        }
    }

    /** Ends all connections of clients. */
    public void cutClients() {
        redis.command("CLIENT", "KILL", "TYPE", "normal");
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
    }

    @Override
    public void close() {
        redis.close();
    }
}
