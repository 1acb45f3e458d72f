package dev.holdfast.kotlin

import java.lang.reflect.Method
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readLines
import kotlin.io.path.writeLines
import kotlin.reflect.KFunction
import kotlin.reflect.KVisibility
import kotlin.reflect.full.extensionReceiverParameter
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
        val actual = classes.flatMap { surfaceOf(it) }.sorted()
        Path.of("target", "public-surface.txt").writeLines(actual)
        assertThat(actual)
            .`as`("an intended change is accepted by: cp target/public-surface.txt src/test/resources/public-surface.txt")
            .isEqualTo(Path.of("src", "test", "resources", "public-surface.txt").readLines())
    }

    /** Of a class that has public functions, or nothing that is public. */
    private fun surfaceOf(file: Path): List<String> {
        val type = Class.forName("dev.holdfast.kotlin.${file.nameWithoutExtension}")
        val functions = type.declaredMethods.filter { it.kotlinFunction?.visibility == KVisibility.PUBLIC }
        assertThat(functions.isNotEmpty() || type.isSynthetic || type.isAnonymousClass)
            .`as`("%s is a file of functions", type)
            .isTrue()
        return functions.map { describe(it, it.kotlinFunction!!) }
    }

    private fun describe(method: Method, function: KFunction<*>): String {
        val suspending = if (function.isSuspend) "suspend " else ""
        val variables =
            if (function.typeParameters.isEmpty()) ""
            else function.typeParameters.joinToString(prefix = "<", postfix = "> ") { "$it : ${it.upperBounds.single()}" }
        val receiver = function.extensionReceiverParameter!!.type
        val values =
            function.valueParameters.joinToString { value ->
                // Kotlin's reflection has no name for a function that suspends.
                val type =
                    if (value.name == "action") method.genericParameterTypes[value.index].typeName.replace("? super ", "")
                    else value.type
                "${value.name}: $type${if (value.isOptional) " = .." else ""}"
            }
        return "${suspending}fun $variables$receiver.${function.name}($values): ${function.returnType}"
            .replace(Regex("\\b([a-z][a-z0-9]*\\.)+(?=[A-Z])"), "")
    }
}
