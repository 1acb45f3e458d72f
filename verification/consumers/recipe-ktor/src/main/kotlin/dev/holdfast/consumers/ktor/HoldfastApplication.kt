package dev.holdfast.consumers.ktor

import dev.holdfast.Holdfast
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationStopped
import java.time.Duration

/** Connects the client of the application, and closes it when that has stopped. */
fun Application.connectHoldfast(): Holdfast {
    val holdfast = Holdfast.connect(environment.config.property("holdfast.redis-uri").getString())
    monitor.subscribe(ApplicationStopped) { holdfast.close(Duration.ofSeconds(5)) }
    return holdfast
}
