package dev.holdfast.spring.locked

import dev.holdfast.spring.faults.Doors.Scene
import java.util.concurrent.TimeoutException
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield

/** The calls of suspend functions, each of which suspends once. */
internal object SuspendScenes {
    private const val TIMEOUT = 20_000L

    @JvmStatic
    fun of(service: Service): Map<String, Scene> = mapOf(
        "a suspend function" to Scene { play { service.locked() } },
        "a suspend function that fails" to Scene { play { runCatching { service.failing() }.exceptionOrNull()!! } },
        "a suspend function with a permit and a lock" to Scene { play { service.limited() } },
    )

    private fun play(call: suspend () -> Any) {
        runBlocking { withTimeoutOrNull(TIMEOUT) { call() } } ?: throw TimeoutException()
    }

    internal open class Service {
        @Locked(name = "door", waitFor = "10s")
        open suspend fun locked(): String {
            yield()
            return "x"
        }

        @Locked(name = "door", waitFor = "10s")
        open suspend fun failing(): String {
            yield()
            throw UnsupportedOperationException()
        }

        @Limited(name = "door", permits = "1", waitFor = "10s")
        @Locked(name = "door", waitFor = "10s")
        open suspend fun limited(): String {
            yield()
            return "x"
        }
    }
}
