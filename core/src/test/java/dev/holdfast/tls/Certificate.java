package dev.holdfast.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A certificate for the loopback address that is new and signed by itself, in the forms that servers and clients read. */
final class Certificate {
    private static final String PASSWORD = "changeit";

    private static final String ALIAS = "redis";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));

    private final Path certificate;
    private final Path key;
    private final Path trustStore;

    private Certificate(Path certificate, Path key, Path trustStore) {
        this.certificate = certificate;
        this.key = key;
        this.trustStore = trustStore;
    }

    /** Has the JDK's keytool make one, and writes its files to the directory. */
    static Certificate newIn(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        Path keyStore = directory.resolve("key.p12");
        runKeytool(directory, keyStore);
        KeyStore made = KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray());
        byte[] certificate = made.getCertificate(ALIAS).getEncoded();
        byte[] key = made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
        return new Certificate(
                write(directory.resolve("certificate.pem"), "CERTIFICATE", certificate),
                write(directory.resolve("key.pem"), "PRIVATE KEY", key),
                trusting(made, directory.resolve("trust.jks")));
    }

    private static void runKeytool(Path directory, Path keyStore) throws IOException, InterruptedException {
        Path log = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keyStore.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + Files.readString(log));
        }
    }

    private static Path write(Path file, String kind, byte[] content) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n" + LINES.encodeToString(content) + "\n-----END " + kind + "-----\n");
    }

    private static Path trusting(KeyStore made, Path file) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("JKS");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, made.getCertificate(ALIAS));
        try (OutputStream out = Files.newOutputStream(file)) {
            trusted.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    /** {@return the certificate as PEM} */
    Path certificate() {
        return certificate;
    }

    /** {@return the private key as PEM} */
    Path key() {
        return key;
    }

    /** {@return a key store that trusts this certificate and no other, and can be read without a password} */
    Path trustStore() {
        return trustStore;
    }
}
