package dev.holdfast.interleavings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Rewrites the classes of the engine's own package so that they call the {@link Seams}. */
final class Weaver implements ClassFileTransformer {
    private static final String API = "dev/holdfast/";
    private static final String ROOMS = "dev/holdfast/internal/";
    private static final String REDIS = ROOMS + "redis/";
    private static final String DRIVER = ROOMS + "driver/";
    private static final String ATOMICS = "java/util/concurrent/atomic/";
    private static final String POOL = "java/util/concurrent/ForkJoinPool";
    private static final String BLOCKER = "(Ljava/util/concurrent/ForkJoinPool$ManagedBlocker;)V";
    private static final String SEAMS = "dev/holdfast/interleavings/Seams";

    /** Classes that {@link Interleavings} explores, and classes that only count, draw tenures or publish events. */
    private static final Set<String> LEFT_ALONE = Set.of(
            "Callbacks", "ConnectionWatch", "Counters", "Mailbox", "EventPublisher", "OwnerIds", "TenureSequence");

    /** The synchronized methods of each class. */
    private final Map<String, Set<String>> synchronizedMethods = new ConcurrentHashMap<>();

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        return loader == null || isOfTests(domain) || !isOfEngine(name) ? null : rewritten(loader, name, bytes);
    }

    static boolean isOfEngine(Class<?> type) {
        return isOfEngine(type.getName().replace('.', '/')) && !isOfTests(type.getProtectionDomain());
    }

    private static boolean isOfTests(@Nullable ProtectionDomain domain) {
        return Weaver.class.getProtectionDomain().equals(domain);
    }

    /** @param name the internal name of a class that is not of the tests */
    static boolean isOfEngine(String name) {
        boolean inRoom = name.startsWith(ROOMS) && !name.startsWith(REDIS) && !name.startsWith(DRIVER);
        return (inRoom || isInApi(name)) && !LEFT_ALONE.contains(outermost(simple(name)));
    }

    private static boolean isInApi(String name) {
        return name.startsWith(API) && name.indexOf('/', API.length()) < 0;
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private byte[] rewritten(ClassLoader loader, String name, byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
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
                        // A class initializer runs once, and other threads wait for it.
                        boolean initializes = method.equals("<clinit>");
                        boolean isSynchronized = (access & Opcodes.ACC_SYNCHRONIZED) != 0;
                        return initializes
                                ? plain
                                : new Stitch(plain, loader, simple(name) + "." + method, isSynchronized);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private boolean isSynchronized(ClassLoader loader, String owner, String method) {
        return isOfEngine(owner)
                && synchronizedMethods
                        .computeIfAbsent(owner, name -> findSynchronized(loader, name))
                        .contains(method);
    }

    private static Set<String> findSynchronized(ClassLoader loader, String owner) {
        Set<String> found = new HashSet<>();
        try (InputStream bytes = Objects.requireNonNull(loader.getResourceAsStream(owner + ".class"), owner)) {
            ClassVisitor collector = new ClassVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable MethodVisitor visitMethod(
                        int access,
                        String method,
                        String descriptor,
                        @Nullable String signature,
                        String @Nullable [] exceptions) {
                    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                        found.add(method + descriptor);
                    }
                    return null;
                }
            };
            new ClassReader(bytes).accept(collector, ClassReader.SKIP_CODE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /**
     * Rewrites one method. A synchronized method enters its monitor when it is called, so the seam is at the call: at none that
     * calls a method of an interface. That it is within the monitor is noted in the method itself.
     */
    private final class Stitch extends MethodVisitor {
        private final ClassLoader loader;
        private final String where;
        private final boolean isSynchronized;

        Stitch(MethodVisitor plain, ClassLoader loader, String where, boolean isSynchronized) {
            super(Opcodes.ASM9, plain);
            this.loader = loader;
            this.where = where;
            this.isSynchronized = isSynchronized;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (isSynchronized) {
                call("entered", "()V");
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER) {
                insertSeam();
            } else if (isSynchronized && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                call("left", "()V");
            }
            super.visitInsn(opcode);
            if (opcode == Opcodes.MONITORENTER) {
                call("entered", "()V");
            } else if (opcode == Opcodes.MONITOREXIT) {
                call("left", "()V");
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean ofInterface) {
            if (owner.equals(POOL) && method.equals("managedBlock")) {
                call("block", BLOCKER);
                return;
            }
            boolean enters = Weaver.this.isSynchronized(loader, owner, method + descriptor);
            if (enters || (owner.startsWith(ATOMICS) && !method.equals("<init>"))) {
                insertSeam();
            }
            super.visitMethodInsn(opcode, owner, method, descriptor, ofInterface);
        }

        private void insertSeam() {
            super.visitLdcInsn(where);
            call("touching", "(Ljava/lang/String;)V");
        }

        private void call(String method, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, SEAMS, method, descriptor, false);
        }
    }
}
