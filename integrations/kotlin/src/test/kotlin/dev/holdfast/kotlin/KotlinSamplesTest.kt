package dev.holdfast.kotlin

import dev.holdfast.Holdfast
import dev.holdfast.kotlin.samples.KotlinSamples
import dev.holdfast.testkit.junit.HoldfastExtension
import dev.holdfast.testkit.junit.TestRedis
import java.nio.file.Path
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

/** The samples of the documentation are compiled, and run. */
class KotlinSamplesTest {
    /** Each sample of a page is a part of [KotlinSamples], as it is written there, but for the indentation. */
    @ParameterizedTest
    @CsvSource("docs/kotlin.md, 4", "integrations/kotlin/README.md, 1")
    fun samples_areThoseThatAreCompiled(page: String, count: Int) {
        val source = Path.of("src", "test", "kotlin", "dev", "holdfast", "kotlin", "samples", "KotlinSamples.kt").readLines()
        val compiled = source.joinToString("\n") { it.trim() }
        val samples =
            Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
                .findAll(Path.of("..", "..").resolve(page).readText())
                .map { sample -> sample.groupValues[1].lines().map { it.trim() } }
                .toList()
        assertThat(samples).hasSize(count)
        for (sample in samples) {
            val (imports, code) = sample.partition { it.startsWith("import ") }
            assertThat(source).containsAll(imports)
            assertThat(compiled).contains(code.joinToString("\n").trim())
        }
    }

    /** They do what they say. */
    @Test
    @ExtendWith(HoldfastExtension::class)
    fun samples_run(redis: TestRedis, holdfast: Holdfast): Unit = runBlocking {
        val samples =
            KotlinSamples(holdfast) {
                assertThat(holdfast.getLock("orders:$it").isLocked()).isTrue()
                KotlinSamples.Receipt()
            }
        assertThat(samples.ship("42")).isNotNull()
        samples.importAll(listOf("a", "b"))
        assertThat(samples.rows).isEqualTo(2)
        assertThat(samples.hourly()).isNotNull()
        assertThat(samples.hourly()).isNull()
        redis.busy("report").use { assertThat(holdfast.getLock("report").withLockOrNull { }).isNull() }
        assertThat(samples.report()).isNotNull()
    }
}
