package dev.holdfast.testkit.junit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.junit.HoldfastExtension;
import dev.holdfast.testkit.junit.TestRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HoldfastExtension.class)
class ExportTest {
    @Test
    void export_endsWhenItsLeaseIsLost(TestRedis redis, Holdfast holdfast) throws Exception {
        Export export = new Export(holdfast.getLock("export"));
        CompletableFuture<Export.Outcome> running = CompletableFuture.supplyAsync(export::run);
        export.awaitStart();

        redis.loseLease("export");

        assertThat(running).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(Export.Outcome.LOCK_LOST);
    }
}
