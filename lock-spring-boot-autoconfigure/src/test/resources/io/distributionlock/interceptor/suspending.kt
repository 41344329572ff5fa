package k

import io.distributionlock.*
import io.distributionlock.annotation.*
import io.distributionlock.testing.ScriptedLockExecutor
import io.r2dbc.spi.ConnectionFactories
import io.r2dbc.spi.ConnectionFactory
import java.util.UUID
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.ContinuationInterceptor
import kotlinx.coroutines.*
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.*
import kotlinx.coroutines.reactor.awaitSingle
import org.assertj.core.api.Assertions.assertThat
import org.springframework.beans.factory.ObjectProvider
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.r2dbc.connection.R2dbcTransactionManager
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled
import org.springframework.stereotype.Component
import org.springframework.transaction.annotation.Transactional

class OwnException : Exception("own")
class Answer(val text: String)
data class Ref(val region: String, internal val number: Int)
data class Seen(val id: String, val amount: Double, val where: OrderId?) {
    var times = 0
    operator fun component4() = times
    fun copy(id: String = "x") = Seen(id, 0.0, null)
    fun copy(number: Int, text: String = "x") = Seen(text + number, 0.0, null)
}
interface First { operator fun component1(): Any }
data class Implementing(val id: String) : First
data class Hidden internal constructor(val id: String, private val codes: Set<String>)
data class Wide(
    val v1: Int, val v2: Int, val v3: Int, val v4: Int, val v5: Int, val v6: Int, val v7: Int, val v8: Int, val v9: Int, val v10: Int, val v11: Int, val v12: Int, val v13: Int, val v14: Int, val v15: Int, val v16: Int,
    val v17: Int, val v18: Int, val v19: Int, val v20: Int, val v21: Int, val v22: Int, val v23: Int, val v24: Int, val v25: Int, val v26: Int, val v27: Int, val v28: Int, val v29: Int, val v30: Int, val v31: Int, val v32: Int, val v33: Int,
)
data class Order(@DistributionLockParam val id: String, val amount: Int)
@JvmInline value class OrderId(val text: String)
@JvmInline value class Number(val value: Int)

@Component
class Service(private val self: ObjectProvider<Service>) {
    val events = CopyOnWriteArrayList<String>()
    val entered = Channel<Unit>(Channel.UNLIMITED)
    val gate = CompletableDeferred<Unit>()
    val mayEnd = Channel<Unit>(Channel.UNLIMITED)

    private fun held() = LockContext.leases().map { it.name() }

    @DistributionLock(key = "value")
    suspend fun value(@DistributionLockParam id: String): String { delay(1); return "$id held ${LockContext.isHeld()}" }

    @DistributionLock(key = "unit")
    suspend fun unit() { delay(1); events += "unit" }

    @DistributionLock(key = "nothing")
    suspend fun nothing(): String? { delay(1); return null }

    @DistributionLock(key = "atOnce")
    suspend fun atOnce(): Int = 7

    @DistributionLock(key = "failing")
    suspend fun failing(): String { delay(1); throw OwnException() }

    @DistributionLock(key = "order")
    suspend fun order(order: Order): List<String> { delay(1); return held() }

    @DistributionLock(key = "ref")
    suspend fun ref(@DistributionLockParam ref: Ref): List<String> { delay(1); return held() }

    @DistributionLock(key = "seen")
    suspend fun seen(@DistributionLockParam seen: Seen): List<String> { delay(1); return held() }

    @DistributionLock(key = "any")
    suspend fun any(@DistributionLockParam value: Any): List<String> { delay(1); return held() }

    @DistributionLock(key = "default:#{#id}")
    suspend fun withDefault(id: String, @DistributionLockParam count: Int = 3): List<String> { delay(1); return held() }

    @DistributionLock(key = "id")
    suspend fun ofId(@DistributionLockParam id: OrderId): List<String> { delay(1); return held() }

    @DistributionLock(key = "returned")
    suspend fun returned(): OrderId { delay(1); return OrderId("A1") }

    @DistributionLock(key = "number")
    suspend fun ofNumber(@DistributionLockParam number: Number?): List<String> { delay(1); return held() }

    @DistributionLock(key = "gated")
    suspend fun gated(): String {
        entered.send(Unit)
        try {
            gate.await()
            return "done"
        } finally {
            withContext(NonCancellable) {
                mayEnd.receive()
                events += "ended"
            }
        }
    }

    @DistributionLock(key = "skip", onBusy = OnBusy.SKIP)
    suspend fun skip(): String? = "x"

    @DistributionLock(key = "skip", onBusy = OnBusy.SKIP)
    suspend fun skipUnit() { events += "ran" }

    @DistributionLock(key = "mapped")
    suspend fun mapped(): Answer = Answer("ran")

    @DistributionLock(key = "fallback", fallbackMethod = "later")
    suspend fun fallback(id: OrderId): String = "ran"
    private suspend fun later(id: OrderId, e: LockNotAcquiredException): String { delay(1); return "later ${id.text} ${e.reason()}" }

    @DistributionLock(key = "fallback", fallbackMethod = "plainly")
    suspend fun plainFallback(id: String): String? = "ran"
    private fun plainly(id: String): String? = if (id == "null") null else "plainly $id"

    @DistributionLock(key = "token")
    suspend fun token(id: String, @FencingToken token: Long = 0, lease: Lease? = null): String {
        delay(1)
        return "$token ${lease?.name()} ${LockContext.fencingToken()}"
    }

    @DistributionLock(key = "conditional:#{#id}", condition = "#id != null")
    suspend fun conditional(id: String?): List<String> { delay(1); return held() }

    @DistributionLock(key = "conditional:#{#id}", condition = "#id != null")
    fun conditionalFlow(id: String?): Flow<String> = flow { emit(held().toString()) }

    @RefuseRepeats(key = "submit", within = "5s")
    suspend fun submit(@DistributionLockParam end: String): String {
        delay(1)
        if (end == "fails") throw OwnException()
        if (end == "waits") { entered.send(Unit); gate.await() }
        return end
    }

    @DistributionLock(key = "outer")
    suspend fun outer(): List<String> = withContext(Dispatchers.IO) {
        delay(1)
        self.getObject().inner() + held()
    }

    @DistributionLock(key = "outer")
    @DistributionLock(key = "inner")
    suspend fun inner(): List<String> { delay(1); return held() }

    @DistributionLock(key = "lost", onLost = OnLost.THROW)
    suspend fun lost() { entered.send(Unit); gate.await() }

    @DistributionLock(key = "flow")
    fun flow(): Flow<String> = flow {
        try {
            emit(held().toString())
            gate.await()
            emit("second")
        } finally {
            withContext(NonCancellable) {
                mayEnd.receive()
                events += "ended"
            }
        }
    }
}

interface Contract { @DistributionLock(key = "contract") suspend fun work(@DistributionLockParam id: String): String }
class ByContract : Contract { override suspend fun work(id: String): String { delay(1); return id } }

/** Each function is a test. */
class Cases(private val service: Service, private val contract: Contract, private val executor: ScriptedLockExecutor) {

    private fun test(block: suspend CoroutineScope.() -> Unit) = runBlocking { withTimeout(20_000, block) }

    private suspend fun until(condition: () -> Boolean) { while (!condition()) delay(5) }

    fun `results pass through`() = test {
        assertThat(service.value("A1")).isEqualTo("A1 held true")
        service.unit()
        assertThat(service.events).containsExactly("unit")
        assertThat(service.nothing()).isNull()
        assertThat(service.atOnce()).isEqualTo(7)
        assertThat(executor.names()).containsExactly("value:A1", "unit", "nothing", "atOnce")
        assertThat(LockContext.isHeld()).isFalse()
    }

    fun `a failure passes through`() = test {
        assertThat(runCatching { service.failing() }.exceptionOrNull()).isInstanceOf(OwnException::class.java)
        assertThat(executor.events()).containsExactly("lock failing", "unlock failing")
    }

    fun `names are made of what the source says`() = test {
        assertThat(service.order(Order("A1", 7))).containsExactly("order:A1")
        assertThat(service.ref(Ref("EU", 5))).isNotEqualTo(service.ref(Ref("EU", 6)))
        assertThat(service.seen(Seen("A1", 1.5, OrderId("x")).apply { times = 7 }))
            .containsExactly("seen:Seen(id=A1, amount=1.5, where=x)")
        assertThat(service.any(Implementing("A1"))).containsExactly("any:Implementing(id=A1)")
        assertThat(service.any(Hidden("A1", setOf("b", "a")))).containsExactly("any:Hidden(id=A1, codes=(a, b))")
        assertThat(service.any(Wide(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))[0]).startsWith("any:Wide(v1=0, ").endsWith(", v33=7)")
        assertThat(service.withDefault("A1")).containsExactly("default:A1:3")
        assertThat(service.ofId(OrderId("A1"))).containsExactly("id:A1")
        assertThat(service.ofNumber(Number(7))).containsExactly("number:7")
        assertThat(service.returned().text).isEqualTo("A1")
        assertThat(contract.work("A1")).isEqualTo("A1")
        assertThat(executor.names()).endsWith("contract:A1")
    }

    fun `a busy lock is waited for without a thread`() = test {
        val other = executor.occupy("atOnce")
        val call = async { service.atOnce() }
        until { executor.waiting() == 1 }
        other.release()
        assertThat(call.await()).isEqualTo(7)
    }

    fun `calls exclude each other`() = test {
        val first = async { service.gated() }
        service.entered.receive()
        val second = async { service.gated() }
        until { executor.waiting() == 1 }
        service.gate.complete(Unit)
        repeat(2) { service.mayEnd.send(Unit) }
        first.await()
        second.await()
        assertThat(executor.events()).containsExactly("lock gated", "unlock gated", "lock gated", "unlock gated")
    }

    fun `a call that is cancelled while it waits gives up`() = test {
        executor.occupy("atOnce").use {
            val call = async { service.atOnce() }
            until { executor.waiting() == 1 }
            call.cancelAndJoin()
            until { executor.waiting() == 0 }
        }
        assertThat(executor.nothingHeldOrWaiting()).isTrue()
    }

    fun `a call that times out while it waits gives up`() = test {
        executor.occupy("atOnce").use {
            assertThat(withTimeoutOrNull(20) { service.atOnce() }).isNull()
            until { executor.waiting() == 0 }
        }
    }

    fun `a call that is cancelled keeps the lock until its body has ended`() = test {
        for (dispatcher in listOf(Dispatchers.Default, Dispatchers.Unconfined, coroutineContext[ContinuationInterceptor]!!)) {
            service.events.clear()
            val call = async(dispatcher) { service.gated() }
            service.entered.receive()
            call.cancelAndJoin()
            assertThat(executor.isHeld("gated")).isTrue()
            assertThat(service.events).isEmpty()
            service.mayEnd.send(Unit)
            until { !executor.isHeld("gated") }
            assertThat(service.events).containsExactly("ended")
        }
    }

    fun `a flow that is abandoned keeps the lock until its body has ended`() = test {
        assertThat(service.flow().first()).isEqualTo("[flow]")
        assertThat(executor.isHeld("flow")).isTrue()
        assertThat(service.events).isEmpty()
        service.mayEnd.send(Unit)
        until { !executor.isHeld("flow") }
        assertThat(service.events).containsExactly("ended")
        service.gate.complete(Unit)
        service.mayEnd.send(Unit)
        assertThat(service.flow().toList()).containsExactly("[flow]", "second")
        assertThat(executor.isHeld("flow")).isFalse()
    }

    fun `a lock that is not acquired is answered`() = test {
        listOf("skip", "mapped", "fallback", "atOnce").forEach { executor.occupy(it) }
        assertThat(service.skip()).isNull()
        service.skipUnit()
        assertThat(service.events).isEmpty()
        assertThat(service.mapped().text).isEqualTo("mapped [] BUSY")
        assertThat(service.fallback(OrderId("A1"))).isEqualTo("later A1 BUSY")
        assertThat(service.plainFallback("A1")).isEqualTo("plainly A1")
        assertThat(service.plainFallback("null")).isNull()
        assertThat(runCatching { service.atOnce() }.exceptionOrNull())
            .isInstanceOf(LockNotAcquiredException::class.java)
    }

    fun `lease parameters are filled in`() = test {
        assertThat(service.token("A1")).isEqualTo("1 token 1")
    }

    fun `a submit that fails or is cancelled may be repeated`() = test {
        service.submit("succeeds")
        assertThat(runCatching { service.submit("fails") }.exceptionOrNull()).isInstanceOf(OwnException::class.java)
        val call = async { service.submit("waits") }
        service.entered.receive()
        call.cancelAndJoin()
        until { executor.nothingHeldOrWaiting() }
        assertThat(executor.events()).containsExactly(
            "lock submit:succeeds", "unlock submit:succeeds",
            "lock submit:fails", "waive submit:fails", "unlock submit:fails",
            "lock submit:waits", "waive submit:waits", "unlock submit:waits")
    }

    fun `a condition decides`() = test {
        assertThat(service.conditional("A1")).containsExactly("conditional:A1")
        assertThat(service.conditional(null)).isEmpty()
        assertThat(service.conditionalFlow("A1").toList()).containsExactly("[conditional:A1]")
        assertThat(service.conditionalFlow(null).toList()).containsExactly("[]")
        assertThat(executor.names()).containsExactly("conditional:A1", "conditional:A1")
    }

    fun `a call inside re-enters on whatever thread it runs`() = test {
        assertThat(service.outer()).containsExactly("inner", "outer", "outer")
        assertThat(executor.events()).containsExactly("lock outer", "lock inner", "unlock inner", "unlock outer")
    }

    fun `a loss fails the call`() = test {
        val call = async { runCatching { service.lost() } }
        service.entered.receive()
        executor.leases().last().lose()
        service.gate.complete(Unit)
        assertThat(call.await().exceptionOrNull()).isInstanceOf(LockLostException::class.java)
    }
}

@Configuration(proxyBeanMethods = false)
@EnableScheduling
class Database {
    @Bean fun connections() = ConnectionFactories.get("r2dbc:h2:mem:///${UUID.randomUUID()}?options=DB_CLOSE_DELAY=-1")
    @Bean fun transactions(connections: ConnectionFactory) = R2dbcTransactionManager(connections)
    @Bean fun client(connections: ConnectionFactory) = DatabaseClient.create(connections)
}

@Component
class Account(private val client: DatabaseClient, private val executor: ScriptedLockExecutor) {
    private suspend fun run(sql: String) = client.sql(sql).fetch().rowsUpdated().awaitSingle()

    suspend fun create() {
        run("CREATE TABLE account (balance INT)")
        run("INSERT INTO account VALUES (0)")
    }

    suspend fun balance(): Any = client.sql("SELECT balance FROM account").fetch().one().awaitSingle().values.first()

    @Transactional
    @DistributionLock(key = "account")
    suspend fun deposit(lose: Boolean) {
        run("UPDATE account SET balance = balance + 1")
        if (lose) executor.leases().last().lose()
        executor.events() += "inside"
    }
}

@Component
class Job(private val executor: ScriptedLockExecutor) {
    val runs = AtomicInteger()

    @Scheduled(fixedDelay = 10)
    @ScheduledLock(name = "job")
    suspend fun work() {
        delay(1)
        if (LockContext.isHeld()) runs.incrementAndGet()
    }
}

class AccountTest(private val account: Account, private val executor: ScriptedLockExecutor) {
    fun run() = runBlocking {
        account.create()
        account.deposit(false)
        assertThat(account.balance()).isEqualTo(1)
        assertThat(executor.events()).containsExactly("lock account", "inside", "unlock account")
        assertThat(runCatching { account.deposit(true) }.exceptionOrNull()).isInstanceOf(LockLostException::class.java)
        assertThat(account.balance()).isEqualTo(1)
    }
}

class JobTest(private val job: Job, private val executor: ScriptedLockExecutor) {
    fun run() = runBlocking {
        withTimeout(20_000) { while (job.runs.get() < 2) delay(5) }
        assertThat(executor.events()).startsWith("lock job", "unlock job", "lock job")
    }
}
