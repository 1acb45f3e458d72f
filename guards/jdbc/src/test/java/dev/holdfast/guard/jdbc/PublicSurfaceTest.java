package dev.holdfast.guard.jdbc;

import dev.holdfast.testkit.PublicSurface;
import org.junit.jupiter.api.Test;

/** What users can name. */
final class PublicSurfaceTest {
    /** The surface is what {@code public-surface.txt} says, so that a change of it is seen in review. */
    @Test
    void surface_isAsCheckedIn() {
        PublicSurface.ofPackageOf(JdbcGuard.class).requireAsCheckedIn();
    }
}
