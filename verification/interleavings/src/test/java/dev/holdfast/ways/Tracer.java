package dev.holdfast.ways;

import dev.holdfast.Holdfast;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.watchdog.LeaseKeeper;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Rewrites the classes of core, watchdog and pubsub so that each of their methods, constructors and lambdas notes in the
 * {@link Trace} that it was entered. Class initializers, which run once, do not. Closed, it puts the classes back.
 */
final class Tracer implements ClassFileTransformer, AutoCloseable {
    /** The flight recorder rewrites its events itself, and not in each process. */
    private static final String EVENT = "jdk/jfr/Event";

    private static final String TRACE = "dev/holdfast/ways/Trace";

    private static final Set<CodeSource> LIBRARY = Stream.of(Holdfast.class, LeaseKeeper.class, Subscriptions.class)
            .map(type -> type.getProtectionDomain().getCodeSource())
            .collect(Collectors.toUnmodifiableSet());

    /** The names of the classes that were rewritten. */
    private static final Set<String> REWRITTEN = ConcurrentHashMap.newKeySet();

    private final Instrumentation machine = ByteBuddyAgent.install();

    private Tracer() {}

    /** {@return a tracer that has rewritten the classes that are loaded, and rewrites later ones} */
    static Tracer install() {
        Tracer tracer = new Tracer();
        tracer.machine.addTransformer(tracer, true);
        tracer.transformLoaded();
        return tracer;
    }

    @Override
    public void close() {
        machine.removeTransformer(this);
        transformLoaded();
    }

    private void transformLoaded() {
        for (Class<?> loaded : machine.getAllLoadedClasses()) {
            if (isOfLibrary(loaded.getProtectionDomain()) && machine.isModifiableClass(loaded)) {
                try {
                    machine.retransformClasses(loaded);
                } catch (UnmodifiableClassException e) {
                    throw new IllegalStateException("a class that can be modified cannot be: " + loaded, e);
                }
            }
        }
    }

    /** {@return whether the thread with this stack is in a method of the library} */
    static boolean isWithinLibrary(StackTraceElement[] stack) {
        return Stream.of(stack).anyMatch(frame -> REWRITTEN.contains(frame.getClassName()));
    }

    private static boolean isOfLibrary(@Nullable ProtectionDomain domain) {
        CodeSource source = domain == null ? null : domain.getCodeSource();
        return source != null && LIBRARY.contains(source);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (!isOfLibrary(domain)) {
            return null;
        }
        ClassReader reader = new ClassReader(bytes);
        if (EVENT.equals(reader.getSuperName())) {
            return null;
        }
        REWRITTEN.add(name.replace('/', '.'));
        return rewritten(name, reader);
    }

    private static byte[] rewritten(String name, ClassReader reader) {
        int nested = name.indexOf('$');
        String file = nested < 0 ? name : name.substring(0, nested);
        String simple = name.substring(name.lastIndexOf('/') + 1);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String method,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        MethodVisitor plain = super.visitMethod(access, method, descriptor, signature, exceptions);
                        return method.equals("<clinit>")
                                ? plain
                                : noting(plain, file, simple + "." + method + descriptor);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static MethodVisitor noting(MethodVisitor plain, String file, String method) {
        return new MethodVisitor(Opcodes.ASM9, plain) {
            @Override
            public void visitCode() {
                super.visitCode();
                super.visitLdcInsn(file);
                super.visitLdcInsn(method);
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC, TRACE, "entered", "(Ljava/lang/String;Ljava/lang/String;)V", false);
            }
        };
    }
}
