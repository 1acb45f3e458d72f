package dev.holdfast;

import dev.holdfast.testkit.PublicSurface;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The public API. */
@Tag("pure")
final class PublicSurfaceTest {
    /** The public API equals {@code public-surface.txt}, so that a change of it shows in a review. */
    @Test
    void surface_isAsCheckedIn() {
        PublicSurface.ofPackageOf(Holdfast.class).requireAsCheckedIn();
    }
}
