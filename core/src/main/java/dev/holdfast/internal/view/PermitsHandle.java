package dev.holdfast.internal.view;

import dev.holdfast.Permits;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.session.AcquireOrigin;
import org.jspecify.annotations.Nullable;

/** The handle of permits. Redis counts their numbers from 1. */
final class PermitsHandle extends LeaseHandle implements Permits {
    private final int permits;

    private PermitsHandle(Client client, Hold hold, int permits) {
        super(client, hold);
        this.permits = permits;
    }

    /** {@return the handle of permits that were just granted, which records where they were acquired if that is given} */
    static PermitsHandle of(Client client, Hold hold, int permits, @Nullable AcquireOrigin origin) {
        return attached(new PermitsHandle(client, hold, permits), origin);
    }

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public int number() {
        return Math.toIntExact(hold().drawn() - 1);
    }

    @Override
    public long token() {
        throw new UnsupportedOperationException(hold().lock().subject()
                + " admits several holders, so its permits have no token; Holdfast.getFencedLock has one");
    }
}
