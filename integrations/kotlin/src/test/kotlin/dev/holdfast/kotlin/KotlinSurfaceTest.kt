package dev.holdfast.kotlin

import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readLines
import kotlin.io.path.writeLines
import kotlin.reflect.KFunction
import kotlin.reflect.KParameter.Kind.EXTENSION_RECEIVER
import kotlin.reflect.KParameter.Kind.VALUE
import kotlin.reflect.KVisibility
import kotlin.reflect.jvm.kotlinFunction
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The public API. */
class KotlinSurfaceTest {
    /**
     * The public functions equal `public-surface.txt`, so that a change of them shows in a review. What a caller can write is a
     * part of them: names of parameters, and which have a default.
     */
    @Test
    fun surface_isAsCheckedIn() {
        val actual = Path.of("target", "classes", "dev", "holdfast", "kotlin").listDirectoryEntries("*.class").flatMap { surfaceOf(it) }.sorted()
        Path.of("target", "public-surface.txt").writeLines(actual)
        assertThat(actual)
            .`as`("an intended change is accepted by: cp target/public-surface.txt src/test/resources/public-surface.txt")
            .isEqualTo(Path.of("src", "test", "resources", "public-surface.txt").readLines())
    }

    /** A class of public functions or, since there are no others yet, of nothing that is public. */
    private fun surfaceOf(file: Path): List<String> {
        val type = Class.forName("dev.holdfast.kotlin.${file.nameWithoutExtension}")
        val functions = type.declaredMethods.mapNotNull { it.kotlinFunction }.filter { it.visibility == KVisibility.PUBLIC }
        assertThat(functions.isEmpty() && !type.isSynthetic && !type.isAnonymousClass).`as`("%s is not a file of functions", type).isFalse()
        return functions.map { describe(it) }
    }

    private fun describe(function: KFunction<*>): String {
        val suspending = if (function.isSuspend) "suspend " else ""
        val variables = function.typeParameters.joinToString { "$it : ${it.upperBounds.joinToString()}" }
        val receiver = function.parameters.filter { it.kind == EXTENSION_RECEIVER }.joinToString { "${it.type}." }
        val values =
            function.parameters
                .filter { it.kind == VALUE }
                .joinToString { "${it.name}: ${it.type}${if (it.isOptional) " = .." else ""}" }
        return "${suspending}fun ${if (variables.isEmpty()) "" else "<$variables> "}$receiver${function.name}($values): ${function.returnType}"
            .replace(Regex("\\b([a-z][a-z0-9]*\\.)+(?=[A-Z])"), "")
    }
}
