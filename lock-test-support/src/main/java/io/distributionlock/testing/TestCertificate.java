package io.distributionlock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A certificate for 127.0.0.1 that signs itself, made by the JDK, as the files that redis-server and Spring Boot read.
 *
 * @param certificate in PEM form
 * @param key in PEM form, without a password
 */
public record TestCertificate(Path certificate, Path key) {

    private static final String PASSWORD = "changeit";
    private static final String NAMES = "SAN=ip:127.0.0.1,dns:localhost";

    /** Needs the JDK's keytool. */
    public static TestCertificate createIn(Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        return createIn(folder, "redis", "-validity", "2");
    }

    /** One of several in a folder. */
    public static TestCertificate createIn(Path folder, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        return createIn(folder, name, "-validity", "2");
    }

    private static TestCertificate createIn(Path folder, String name, String... validity)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve(name + ".p12");
        keytool(
                store,
                List.of("-genkeypair", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=" + name, "-ext", "bc:c"),
                List.of("-ext", NAMES),
                List.of(validity));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(
                pem(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate("redis").getEncoded()),
                pem(
                        folder.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey("redis", PASSWORD.toCharArray()).getEncoded()));
    }

    /** One that this has signed, and that was valid until some days ago. */
    public TestCertificate signExpired(String name) throws IOException, InterruptedException, GeneralSecurityException {
        Path folder = certificate.getParent();
        TestCertificate signed = createIn(folder, name);
        Path request = folder.resolve(name + ".csr");
        keytool(folder.resolve(name + ".p12"), List.of("-certreq", "-file", request.toString()));
        String own = certificate.getFileName().toString().replace(".crt", ".p12");
        keytool(
                folder.resolve(own),
                List.of("-gencert", "-rfc", "-infile", request.toString(), "-outfile", signed.certificate.toString()),
                List.of("-ext", NAMES, "-startdate", "-10d", "-validity", "5"));
        return signed;
    }

    @SafeVarargs
    private static void keytool(Path store, List<String>... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        Arrays.asList(arguments).forEach(command::addAll);
        command.addAll(List.of(
                "-alias", "redis", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool failed: " + said);
        }
    }

    /** Another one takes the place of this, in the same files. */
    public void become(TestCertificate other) throws IOException {
        Files.copy(other.key, key, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(other.certificate, certificate, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path pem(Path file, String type, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n");
    }
}
