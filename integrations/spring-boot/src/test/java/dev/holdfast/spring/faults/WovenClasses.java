package dev.holdfast.spring.faults;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/**
 * Loads Holdfast's classes anew. Those that come between a user and a lock are rewritten: they pass a point of
 * {@link ErrorPoints} before each call of anything else than themselves and the JDK's types, whose stages may be anyone's, and
 * after each call that releases a lock, since a release that does not take place releases nothing.
 */
final class WovenClasses extends ClassLoader {
    private static final String OURS = "dev.holdfast.";
    private static final String ERROR_POINTS = ErrorPoints.class.getName().replace('.', '/');
    private static final Set<String> SHARED =
            Set.of(ErrorPoints.class.getName(), Doors.class.getName(), Doors.Scene.class.getName());

    /** What stands between a user and the locks of a client. */
    private static final List<String> WOVEN = List.of(
            "dev.holdfast.spring.locked.",
            "dev.holdfast.spring.integration.",
            "dev.holdfast.internal.spring.",
            "dev.holdfast.shedlock.");

    private static final String CORE = "dev.holdfast.internal.";

    /** What stands between a caller and a lock that was granted to it. */
    private static final List<String> CORE_WOVEN = List.of(
            CORE + "view.ClientLock",
            CORE + "view.ClientFencedLock",
            CORE + "view.ClientMultiLock",
            CORE + "view.ClientSegmentedLock",
            CORE + "view.ClientSemaphore",
            CORE + "view.HandleCalls",
            CORE + "client.Client",
            CORE + "view.LeaseHandle",
            CORE + "view.SegmentHandle",
            CORE + "view.MultiHandle",
            CORE + "view.PermitsHandle",
            CORE + "acquire.Acquisition",
            CORE + "acquire.BlockingAcquisition",
            CORE + "acquire.FutureAcquisition",
            CORE + "acquire.CallerFuture",
            CORE + "several.SeveralCall",
            CORE + "several.MultiCall",
            CORE + "several.SegmentCall");

    /** What they do with a lock that was granted, until the caller has it. */
    private static final Pattern AFTER_GRANT = Pattern.compile(
            "runLocked|callLocked|(run|call)Permitted|acquire|await.*|try(Acquire|Once|Interruptibly)|result"
                    + "|deliver.*|handles?|granted|token|own|enter|of|attached|orEmpty"
                    + "|lambda\\$(acquire|tryAcquire|own|enter|of|onGrant|new|runPermitted|callPermitted).*");

    /**
     * What plays the scenes; the net below a subscription, which only passes on signals; and what a coroutine calls before each step,
     * whose failure it does not survive.
     */
    private static final Set<String> LEFT_ALONE =
            Set.of("SpringDoors", "CoreScenes", "SuspendScenes", "SignallingFlux", "CoroutineHold");

    private static final Set<String> RELEASES =
            Set.of("unlock", "unlockAsync", "close", "closeAfter", "closeAfterAsync", "releaseAsync");

    WovenClasses() {
        super("woven", WovenClasses.class.getClassLoader());
        for (String name : CORE_WOVEN) {
            if (getResource(fileOf(name)) == null) {
                throw new IllegalStateException("there is no class " + name + " to weave");
            }
        }
    }

    private static String fileOf(String name) {
        return name.replace('.', '/') + ".class";
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || SHARED.contains(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream file = getResourceAsStream(fileOf(name))) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] plain = file.readAllBytes();
            byte[] bytes = isWoven(name) ? woven(name, plain) : plain;
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static boolean isWoven(String name) {
        return isOfWoven(name) && LEFT_ALONE.stream().noneMatch(name::contains);
    }

    private static boolean isOfWoven(String name) {
        return WOVEN.stream().anyMatch(name::startsWith) || CORE_WOVEN.contains(name);
    }

    private static byte[] woven(String type, byte[] plain) {
        ClassReader reader = new ClassReader(plain);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        ClassVisitor weaver = new ClassVisitor(SpringAsmInfo.ASM_VERSION, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String method,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodVisitor to = super.visitMethod(access, method, descriptor, signature, exceptions);
                boolean isPlain =
                        CORE_WOVEN.contains(type) ? !AFTER_GRANT.matcher(method).matches() : method.equals("<clinit>");
                return isPlain ? to : new Points(to, type + "." + method);
            }
        };
        reader.accept(weaver, 0);
        return writer.toByteArray();
    }

    private static final class Points extends MethodVisitor {
        private final String where;

        Points(MethodVisitor to, String where) {
            super(SpringAsmInfo.ASM_VERSION, to);
            this.where = where;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean ofInterface) {
            boolean isForeign = isForeign(owner.replace('/', '.'));
            boolean releases = owner.startsWith("dev/holdfast/") && RELEASES.contains(method);
            if (isForeign && !releases) {
                insertPoint("before " + simple(owner) + "." + method);
            }
            super.visitMethodInsn(opcode, owner, method, descriptor, ofInterface);
            if (isForeign && releases) {
                insertPoint("after " + simple(owner) + "." + method);
            }
        }

        private static boolean isForeign(String owner) {
            boolean isPlain = owner.startsWith("java.") && !owner.endsWith(".CompletionStage");
            boolean isSignal = owner.endsWith(".SynchronousSink"); // one that is not sent is awaited for ever
            return !isPlain && !isSignal && !isOfWoven(owner);
        }

        private static String simple(String owner) {
            return owner.substring(owner.lastIndexOf('/') + 1);
        }

        private void insertPoint(String what) {
            super.visitLdcInsn(where + ", " + what);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, ERROR_POINTS, "point", "(Ljava/lang/String;)V", false);
        }
    }
}
