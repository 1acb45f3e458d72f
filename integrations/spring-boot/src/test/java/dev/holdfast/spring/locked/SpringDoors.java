package dev.holdfast.spring.locked;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.shedlock.HoldfastLockProvider;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.spring.faults.Doors;
import dev.holdfast.spring.integration.HoldfastLockRegistry;
import dev.holdfast.spring.integration.HoldfastLockRegistryAutoConfiguration;
import dev.holdfast.testkit.RedisServer;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The ways to a lock that this module and that for ShedLock offer, in an application. */
public final class SpringDoors implements Doors {
    private static final String LOCK = "door";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RedisServer redis = RedisServer.start();
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    /** Called by reflection. */
    public SpringDoors() {
        context.setClassLoader(getClass().getClassLoader());
        Map<String, Object> properties = Map.of("holdfast.redis-uri", redis.uri(), "holdfast.watchdog-timeout", "10m");
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("doors", properties));
        context.register(Application.class);
        context.refresh();
    }

    @Override
    public Map<String, Scene> scenes() {
        Map<String, Scene> scenes = new LinkedHashMap<>();
        addLocked(scenes, context.getBean(Service.class));
        addRegistry(scenes, context.getBean(HoldfastLockRegistry.class));
        addShedLock(scenes, new HoldfastLockProvider(context.getBean(Holdfast.class), ""));
        scenes.putAll(SuspendScenes.of(context.getBean(SuspendScenes.Service.class)));
        scenes.putAll(CoreScenes.of(context.getBean(Holdfast.class), LOCK));
        return scenes;
    }

    private void addLocked(Map<String, Scene> scenes, Service service) {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        scenes.put("a value", service::value);
        scenes.put("a value of a fenced lock", service::fenced);
        scenes.put("a value, re-entered", () -> service.outer(service));
        scenes.put("a value, with a transaction of its own", service::transactional);
        scenes.put("a value, in an open transaction", () -> transaction.executeWithoutResult(open -> service.value()));
        scenes.put("a value whose lock is kept", service::kept);
        scenes.put(
                "a value whose lock is kept, in an open transaction",
                () -> transaction.executeWithoutResult(open -> service.kept()));
        scenes.put("a value under several locks", service::several);
        scenes.put("a method that throws", () -> fails(service::failing));
        scenes.put("a future", () -> service.future(CompletableFuture.completedFuture("x"))
                .get(20, TimeUnit.SECONDS));
        scenes.put("a future that completes later", () -> later(service));
        scenes.put(
                "a future that fails",
                () -> fails(() -> service.future(CompletableFuture.failedFuture(new Refusal()))
                        .get(20, TimeUnit.SECONDS)));
        scenes.put("a mono", () -> service.mono(Mono.just("x")).block(TIMEOUT));
        scenes.put(
                "a mono that fails",
                () -> fails(() -> service.mono(Mono.error(new Refusal())).block(TIMEOUT)));
        scenes.put(
                "a mono without a class",
                () -> fails(() -> service.mono(withoutClass()).block(TIMEOUT)));
        scenes.put(
                "a flux whose subscriber lacks a class",
                () -> fails(() -> service.flux().map(SpringDoors::missing).blockLast(TIMEOUT)));
        scenes.put("a value with a permit", service::limited);
        scenes.put("a future with a permit", () -> service.limitedFuture(CompletableFuture.completedFuture("x"))
                .get(20, TimeUnit.SECONDS));
        scenes.put("a mono with a permit", () -> service.limitedMono().block(TIMEOUT));
        scenes.put("a value with a permit and a lock", service::limitedAndLocked);
        scenes.put("a flux", () -> service.flux().collectList().block(TIMEOUT));
    }

    private static Mono<String> withoutClass() {
        return Mono.fromCallable(() -> missing("x"));
    }

    private static String missing(String text) {
        throw new NoClassDefFoundError("a class that is missing for " + text);
    }

    private static void fails(Scene scene) throws Throwable {
        try {
            scene.play();
        } catch (Throwable e) {
            if (String.valueOf(e.getMessage()).contains("Timeout")) {
                throw e;
            }
            return;
        }
        throw new Refusal();
    }

    private static void later(Service service) throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = service.future(work);
        work.complete("x");
        result.get(20, TimeUnit.SECONDS);
    }

    private static void addRegistry(Map<String, Scene> scenes, HoldfastLockRegistry registry) {
        DistributedLock lock = registry.obtain(LOCK);
        scenes.put("a lock of the registry", () -> locked(lock::lock, lock));
        scenes.put("a lock of the registry, with a time-to-live", () -> locked(() -> lock.lock(MINUTE), lock));
        scenes.put("a lock of the registry, interruptibly", () -> locked(lock::lockInterruptibly, lock));
        scenes.put("a lock of the registry, tried", () -> locked(() -> granted(lock.tryLock()), lock));
        scenes.put(
                "a lock of the registry, awaited",
                () -> locked(() -> granted(lock.tryLock(1, TimeUnit.MINUTES)), lock));
        scenes.put(
                "a lock of the registry, re-entered",
                () -> locked(
                        lock::lock,
                        () -> {
                            locked(lock::lock, lock);
                            registry.renewLock(LOCK);
                        },
                        lock));
        scenes.put("a lock of the registry, for a task", () -> registry.executeLocked(LOCK, () -> {}));
    }

    private static void granted(boolean isGranted) {
        if (!isGranted) {
            throw new Refusal();
        }
    }

    private static void locked(Scene acquire, DistributedLock lock) throws Throwable {
        locked(acquire, () -> {}, lock);
    }

    /** As a careful caller does: what was acquired is unlocked. */
    private static void locked(Scene acquire, Scene body, DistributedLock lock) throws Throwable {
        acquire.play();
        try {
            body.play();
        } finally {
            lock.unlock();
        }
    }

    private static void addShedLock(Map<String, Scene> scenes, LockProvider provider) {
        scenes.put("a task of ShedLock", () -> new DefaultLockingTaskExecutor(provider)
                .executeWithLock((Runnable) () -> {}, task()));
        scenes.put("a task of ShedLock, extended", () -> {
            SimpleLock lock = provider.lock(task()).orElseThrow();
            SimpleLock held = lock;
            try {
                held = lock.extend(MINUTE, Duration.ZERO).orElseThrow();
            } finally {
                held.unlock();
            }
        });
    }

    private static LockConfiguration task() {
        return new LockConfiguration(ClockProvider.now(), LOCK, MINUTE, Duration.ZERO);
    }

    private List<String> names() {
        return Stream.concat(
                        Stream.of(LOCK, LOCK + ":a", LOCK + ":b", "lock-registry:" + LOCK),
                        CoreScenes.segments(rival, LOCK))
                .toList();
    }

    @Override
    public boolean isFree() {
        return names().stream().noneMatch(name -> rival.getLock(name).isLocked())
                && CoreScenes.semaphore(rival, LOCK).inspect().holders().isEmpty();
    }

    @Override
    public void forceFree() {
        names().forEach(name -> {
            boolean wasHeld = rival.getLock(name).forceUnlock();
            assert wasHeld || isFree();
        });
        DistributedSemaphore semaphore = CoreScenes.semaphore(rival, LOCK);
        semaphore.inspect().holders().forEach(holder -> {
            boolean wasHeld = semaphore.forceRelease(holder.owner());
            assert wasHeld || isFree();
        });
    }

    @Override
    public void close() {
        context.close();
        rival.close();
        redis.close();
    }

    /** What a method throws on its own. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        HoldfastAutoConfiguration.class,
        LockedAutoConfiguration.class,
        HoldfastLockRegistryAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        TransactionManagerCustomizationAutoConfiguration.class
    })
    static class Application {
        @Bean
        Service service() {
            return new Service();
        }

        @Bean
        SuspendScenes.Service suspending() {
            return new SuspendScenes.Service();
        }

        @Bean
        ObservationRegistry observations() {
            return TestObservationRegistry.create();
        }

        @Bean
        DataSource database() {
            return new DriverManagerDataSource("jdbc:h2:mem:doors;DB_CLOSE_DELAY=-1");
        }
    }

    static class Service {
        @Locked(name = LOCK)
        public String value() {
            return "x";
        }

        @Locked(name = LOCK, fenced = true)
        public long fenced() {
            return CurrentLock.token();
        }

        @Locked(name = LOCK)
        public String outer(Service self) {
            return self.value();
        }

        @Locked(name = LOCK, keepFor = "1ms")
        public String kept() {
            return "x";
        }

        @Locked(name = LOCK, key = "{'a', 'b'}", fenced = true)
        public long several() {
            return CurrentLock.token(LOCK + ":b");
        }

        @Locked(name = LOCK)
        @Transactional
        public String transactional() {
            return "x";
        }

        @Locked(name = LOCK)
        public String failing() {
            throw new Refusal();
        }

        @Locked(name = LOCK)
        public CompletableFuture<String> future(CompletableFuture<String> work) {
            return work.thenApply(text -> text);
        }

        @Locked(name = LOCK, waitFor = "10s")
        public Mono<String> mono(Mono<String> work) {
            return work.map(text -> text);
        }

        @Limited(name = LOCK, permits = "1")
        public int limited() {
            return CurrentPermits.number();
        }

        @Limited(name = LOCK, permits = "1")
        public CompletableFuture<String> limitedFuture(CompletableFuture<String> work) {
            return work.thenApply(text -> text);
        }

        @Limited(name = LOCK, permits = "1", waitFor = "10s")
        public Mono<String> limitedMono() {
            return Mono.just("x");
        }

        @Limited(name = LOCK, permits = "1")
        @Locked(name = LOCK)
        public String limitedAndLocked() {
            return "x";
        }

        @Locked(name = LOCK)
        public Flux<String> flux() {
            return Flux.just("x", "y");
        }
    }
}
