package dev.holdfast.consumers.ktor

import dev.holdfast.Holdfast
import dev.holdfast.consumers.recipes.RecipeContract
import io.ktor.server.application.ApplicationStopping
import io.ktor.server.cio.CIO
import io.ktor.server.config.MapApplicationConfig
import io.ktor.server.engine.applicationEnvironment
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** The recipe in a server of Ktor, whose route ships an order, and which uses the client when it stops. */
class KtorRecipeTest : RecipeContract() {
    override fun start(redisUri: String): Application {
        val client = CompletableFuture<Holdfast>()
        val shipped = CompletableFuture<Runnable>()
        val server = embeddedServer(
            CIO,
            applicationEnvironment { config = MapApplicationConfig("holdfast.redis-uri" to redisUri) },
            {
                connector {
                    host = "127.0.0.1"
                    port = 0
                }
            },
        ) {
            val holdfast = connectHoldfast()
            shipping(holdfast) { withContext(Dispatchers.IO) { shipped.join().run() } }
            monitor.subscribe(ApplicationStopping) { leaveBusy(holdfast) }
            client.complete(holdfast)
        }
        server.start()
        return object : Application {
            override fun ship() {
                val port = runBlocking { server.engine.resolvedConnectors().first().port }
                val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port/orders/$ORDER/ship"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build()
                ship(
                    { work ->
                        shipped.complete(work)
                        HttpClient.newHttpClient().sendAsync(request, BodyHandlers.discarding())
                    },
                    client.join(),
                )
            }

            override fun close() = server.stop(100, 100)
        }
    }
}
