package dev.holdfast.testkit.junit;

import dev.holdfast.testkit.PublicSurface;
import org.junit.jupiter.api.Test;

/** The public API. */
final class JUnitSurfaceTest {
    /** The public API equals {@code public-surface.txt}, so that a change of it shows in a review. */
    @Test
    void surface_isAsCheckedIn() {
        PublicSurface.ofPackageOf(TestRedis.class).requireAsCheckedIn();
    }
}
