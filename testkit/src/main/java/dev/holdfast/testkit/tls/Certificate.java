package dev.holdfast.testkit.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A new self-signed certificate, in the formats that servers and clients read. */
public final class Certificate {
    /** The password of the stores. */
    public static final String PASSWORD = "changeit";

    private static final String ALIAS = "redis";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));

    private final Path certificate;
    private final Path key;
    private final Path keyStore;
    private final Path trustStore;

    private Certificate(Path certificate, Path key, Path keyStore, Path trustStore) {
        this.certificate = certificate;
        this.key = key;
        this.keyStore = keyStore;
        this.trustStore = trustStore;
    }

    /**
     * Makes the JDK's keytool create one for the loopback address, and writes its files to the directory.
     *
     * @param directory where the files are written; it is created
     * @throws IOException if keytool fails, or a file cannot be written
     * @throws InterruptedException if the thread is interrupted while keytool runs
     * @throws GeneralSecurityException if the JDK cannot read what its keytool has written
     */
    public static Certificate newIn(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        return newFor("dns:localhost,ip:127.0.0.1", directory);
    }

    /**
     * The same for other subjects.
     *
     * @param subjects what the certificate is for, such as {@code dns:example.org}
     * @param directory where the files are written; it is created
     * @throws IOException if keytool fails, or a file cannot be written
     * @throws InterruptedException if the thread is interrupted while keytool runs
     * @throws GeneralSecurityException if the JDK cannot read what its keytool has written
     */
    public static Certificate newFor(String subjects, Path directory)
            throws IOException, InterruptedException, GeneralSecurityException {
        Files.createDirectories(directory);
        Path keyStore = directory.resolve("key.p12");
        runKeytool(subjects, directory, keyStore);
        KeyStore made = KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray());
        byte[] certificate = made.getCertificate(ALIAS).getEncoded();
        byte[] key = made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
        return new Certificate(
                write(directory.resolve("certificate.pem"), "CERTIFICATE", certificate),
                write(directory.resolve("key.pem"), "PRIVATE KEY", key),
                keyStore,
                trusting(made, directory.resolve("trust.jks")));
    }

    private static void runKeytool(String subjects, Path directory, Path keyStore)
            throws IOException, InterruptedException {
        Path log = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=" + subjects,
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
    public Path certificate() {
        return certificate;
    }

    /** {@return the private key as PEM} */
    public Path key() {
        return key;
    }

    /** {@return a key store with the private key and the certificate} */
    public Path keyStore() {
        return keyStore;
    }

    /** {@return a key store that trusts this certificate and no other, and can be read without a password} */
    public Path trustStore() {
        return trustStore;
    }
}
