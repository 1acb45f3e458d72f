package dev.holdfast.consumers.ktor

import dev.holdfast.Holdfast
import dev.holdfast.kotlin.withLock
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.ktor.server.util.getOrFail

fun Application.shipping(holdfast: Holdfast, ship: suspend (String) -> Unit) {
    routing {
        post("/orders/{id}/ship") {
            val id = call.parameters.getOrFail("id")
            holdfast.getLock("orders:$id").withLock { ship(id) }
            call.respondText("shipped")
        }
    }
}
