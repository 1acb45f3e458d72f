package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A link whose place another link to the same node has taken. */
@Tag("pure")
final class ReplacedLinkTest {
    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode former = new EmbeddedNode(timer);

    /** It uses the connection that it has, and no further one: the other link would not know which one to kill. */
    @Test
    void connection_isTheLast() {
        former.start();
        new EmbeddedNode(timer).link().replaces(former.link());
        assertThat(former.link().isUp()).isTrue();

        former.connect();

        assertThat(former.link().isUp()).isFalse();
        assertThat(former.written()).isEmpty();
    }
}
