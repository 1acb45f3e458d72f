package dev.holdfast.guard.jdbc;

import dev.holdfast.testkit.PublicSurface;
import org.junit.jupiter.api.Test;

/** The public API. */
final class JdbcGuardSurfaceTest {
    /** The public API equals {@code public-surface.txt}, so that a change of it shows in a review. */
    @Test
    void surface_isAsCheckedIn() {
        PublicSurface.ofPackageOf(JdbcGuard.class).requireAsCheckedIn();
    }
}
