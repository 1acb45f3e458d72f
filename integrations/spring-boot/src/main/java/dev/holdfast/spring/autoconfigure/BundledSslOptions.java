package dev.holdfast.spring.autoconfigure;

import io.lettuce.core.SslOptions;
import org.springframework.boot.ssl.SslBundle;

/** An SSL bundle of the application, as the driver takes it. */
final class BundledSslOptions {
    private BundledSslOptions() {}

    static SslOptions of(SslBundle bundle) {
        SslOptions.Builder options = SslOptions.builder()
                .keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory());
        String[] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            options.cipherSuites(ciphers);
        }
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            options.protocols(protocols);
        }
        return options.build();
    }
}
