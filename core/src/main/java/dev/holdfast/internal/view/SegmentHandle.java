package dev.holdfast.internal.view;

import dev.holdfast.SegmentLease;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.session.AcquireOrigin;
import org.jspecify.annotations.Nullable;

/** The handle of a hold of one segment. */
final class SegmentHandle extends LeaseHandle implements SegmentLease {
    private final int segment;

    private SegmentHandle(Client client, PartAcquisition granted) {
        super(client, granted.granted());
        this.segment = granted.index();
    }

    /** {@return the handle of what was just granted, which records where it was acquired if that is given} */
    static SegmentHandle of(Client client, PartAcquisition granted, @Nullable AcquireOrigin origin) {
        return attached(new SegmentHandle(client, granted), origin);
    }

    @Override
    public int segment() {
        return segment;
    }
}
