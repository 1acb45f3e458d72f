package dev.holdfast.internal.driver;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Explains why a connection with TLS could not be made: whose certificate, which store. The JDK names an alert, a
 * missing path or a password, but not what they belong to.
 */
public final class TlsFailure {
    /** How the explanation of a certificate for another host begins. */
    public static final String OTHER_HOST = "the server's certificate is not for the host that is connected to";

    private static final String ALERT = "Received fatal alert: ";

    /** The alerts by which a server rejects the client's certificate. */
    private static final Set<String> CERTIFICATE_ALERTS = Set.of(
            "access_denied",
            "bad_certificate",
            "certificate_expired",
            "certificate_revoked",
            "certificate_unknown",
            "unknown_ca",
            "unsupported_certificate");

    private TlsFailure() {}

    /** {@return the explanation of a failed connection with TLS, with the message of the root cause} */
    public static String explain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable at = failure; at != null; at = at.getCause()) {
            chain.add(at);
        }
        Throwable root = chain.get(chain.size() - 1);
        String message = String.valueOf(root.getMessage());
        int alert = message.indexOf(ALERT); // newer JDKs put the alert's name before it as well
        if (alert >= 0) {
            return ofAlert(message.substring(alert + ALERT.length())) + ": " + message;
        }
        if (chain.stream().anyMatch(TlsFailure::comesFromOptions)) {
            return ofOptions(chain) + ": " + message;
        }
        if (chain.stream().anyMatch(SSLException.class::isInstance)) {
            return ofHandshake(root) + ": " + message;
        }
        if (root instanceof TimeoutException || root instanceof RedisCommandTimeoutException) {
            return message + "; does it use TLS on this port?";
        }
        if (root instanceof IOException || root instanceof RedisConnectionException) {
            return message + "; a server that does not accept the client's certificate ends the connection";
        }
        return message;
    }

    private static String ofAlert(String alert) {
        if (alert.equals("certificate_required")) {
            return "the server demands the client's certificate, and sslOptions have none";
        }
        if (CERTIFICATE_ALERTS.contains(alert)) {
            return "the server does not accept the client's certificate";
        }
        return "the server ended the TLS handshake, for lack of the client's certificate or of a common protocol";
    }

    /** The JDK's exceptions do not distinguish the two stores; the driver's methods in the stack trace do. */
    private static String ofOptions(List<Throwable> chain) {
        boolean trust = chain.stream()
                .flatMap(link -> Arrays.stream(link.getStackTrace()))
                .filter(TlsFailure::isOfOptions)
                .anyMatch(
                        frame -> frame.getMethodName().toLowerCase(Locale.ROOT).contains("trust"));
        return (trust ? "the trusted certificates" : "the client's certificate or key")
                + " of sslOptions cannot be read";
    }

    private static boolean comesFromOptions(Throwable failure) {
        return Arrays.stream(failure.getStackTrace()).anyMatch(TlsFailure::isOfOptions);
    }

    private static boolean isOfOptions(StackTraceElement frame) {
        return frame.getClassName().startsWith(SslOptions.class.getName());
    }

    private static String ofHandshake(Throwable root) {
        String message = String.valueOf(root.getMessage());
        if (message.contains("subject alternative") || message.contains("No name matching")) {
            return OTHER_HOST;
        }
        return root instanceof GeneralSecurityException
                ? "the server's certificate is not trusted"
                : "the TLS handshake failed";
    }
}
