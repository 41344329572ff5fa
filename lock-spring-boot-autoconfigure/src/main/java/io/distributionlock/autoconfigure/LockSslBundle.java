package io.distributionlock.autoconfigure;

import io.distributionlock.internal.BackendProblemException;
import io.lettuce.core.SslOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Makes Lettuce use an SSL bundle of Spring Boot: for each connection as it is then, so that an updated bundle needs no restart. */
final class LockSslBundle {

    private LockSslBundle() {}

    /**
     * @param property the property that names the bundle
     * @throws BackendProblemException if there is no such bundle
     */
    static SslOptions options(String property, String name, ObjectProvider<SslBundles> provider) {
        SslBundles bundles = provider.getIfAvailable();
        if (bundles == null) {
            throw unknown(property, name, null);
        }
        SslBundle first = bundle(bundles, property, name);
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider().sslContext(context -> {
            SslBundle present = bundle(bundles, property, name);
            context.keyManager(present.getManagers().getKeyManagerFactory())
                    .trustManager(present.getManagers().getTrustManagerFactory());
        });
        String[] ciphers = first.getOptions().getCiphers();
        String[] protocols = first.getOptions().getEnabledProtocols();
        if (ciphers != null) {
            options.cipherSuites(ciphers);
        }
        if (protocols != null) {
            options.protocols(protocols);
        }
        return options.build();
    }

    private static SslBundle bundle(SslBundles bundles, String property, String name) {
        try {
            return bundles.getBundle(name);
        } catch (NoSuchSslBundleException e) {
            throw unknown(property, name, e);
        }
    }

    private static BackendProblemException unknown(String property, String name, @Nullable Throwable cause) {
        return new BackendProblemException(
                property + " is '" + name + "', and there is no SSL bundle of this name.",
                "Declare it in spring.ssl.bundle.pem." + name + " or spring.ssl.bundle.jks." + name + ".",
                cause);
    }
}
