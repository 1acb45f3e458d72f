@file:JvmName("SpringProgram")

package dev.holdfast.consumers

import dev.holdfast.Holdfast
import dev.holdfast.spring.locked.CurrentLock
import dev.holdfast.spring.locked.CurrentPermits
import dev.holdfast.spring.locked.Limited
import dev.holdfast.spring.locked.Locked
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.springframework.boot.SpringApplication
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.context.annotation.Bean

/** An application whose functions suspend under locks. The address is in the environment. */
@SpringBootApplication(proxyBeanMethods = false)
open class SuspendingApplication {
    @Bean
    open fun work() = Work()
}

fun main(args: Array<String>) {
    SpringApplication.run(SuspendingApplication::class.java, *args).use { context ->
        val work = context.getBean(Work::class.java)
        val client = context.getBean(Holdfast::class.java)
        runBlocking {
            check(work.suspending(Order(7))) { "a suspend function holds its lock" }
            check(!client.getLock("work:7").isLocked) { "the lock is free after the call" }
            check(work.limited() == 0) { "a suspend function has the number of its permit" }
        }
    }
}

class Order(val id: Int)

open class Work {
    /** Returns whether its lock is held after it has suspended. */
    @Locked(name = "work", key = "#order.id")
    open suspend fun suspending(order: Order): Boolean {
        delay(1)
        return CurrentLock.isHeld("work:${order.id}")
    }

    @Limited(name = "work:limited", permits = "2")
    open suspend fun limited(): Int {
        delay(1)
        return CurrentPermits.number()
    }
}
