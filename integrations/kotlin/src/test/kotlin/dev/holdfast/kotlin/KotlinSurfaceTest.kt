package dev.holdfast.kotlin

import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readLines
import kotlin.io.path.writeLines
import kotlin.reflect.KFunction
import kotlin.reflect.KVisibility
import kotlin.reflect.full.valueParameters
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
        val classes = Path.of("target", "classes", "dev", "holdfast", "kotlin").listDirectoryEntries("*.class")
        val types = classes.map { Class.forName("dev.holdfast.kotlin.${it.nameWithoutExtension}") }
        val actual = types.filter { Modifier.isPublic(it.modifiers) }.flatMap { surfaceOf(it) }.sorted()
        Path.of("target", "public-surface.txt").writeLines(actual)
        assertThat(actual)
            .`as`("an intended change is accepted by: cp target/public-surface.txt src/test/resources/public-surface.txt")
            .isEqualTo(Path.of("src", "test", "resources", "public-surface.txt").readLines())
    }

    private fun surfaceOf(file: Class<*>): List<String> {
        val functions = file.declaredMethods.filter { it.kotlinFunction?.visibility == KVisibility.PUBLIC }
        assertThat(functions).`as`("%s is a file of functions", file).isNotEmpty()
        return functions.map { describe(it, it.kotlinFunction!!) }
    }

    private fun describe(method: Method, function: KFunction<*>): String {
        val suspending = if (function.isSuspend) "suspend " else ""
        val variables =
            if (function.typeParameters.isEmpty()) ""
            else function.typeParameters.joinToString(prefix = "<", postfix = "> ") { "$it : ${it.upperBounds.single()}" }
        val (receiver, types) = method.genericParameterTypes.map { it.typeName.replace("? super ", "") }.let { it[0] to it.drop(1) }
        val values =
            function.valueParameters.zip(types) { value, type ->
                // Kotlin's reflection has no name for a function that suspends.
                val shown = if (value.name == "action") type else value.type
                "${value.name}: $shown${if (value.isOptional) " = .." else ""}"
            }
        return "${suspending}fun $variables$receiver.${function.name}(${values.joinToString()}): ${function.returnType}"
            .replace(Regex("\\b([a-z][a-z0-9]*\\.)+(?=[A-Z])"), "")
    }
}
