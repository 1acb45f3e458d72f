package dev.holdfast.guard.redis;

import dev.holdfast.testkit.PublicSurface;
import org.junit.jupiter.api.Test;

/** The public API. */
final class RedisGuardSurfaceTest {
    /** The public API equals {@code public-surface.txt}, so that a change of it shows in a review. */
    @Test
    void surface_isAsCheckedIn() {
        PublicSurface.ofPackageOf(RedisGuard.class).requireAsCheckedIn();
    }
}
