package dev.holdfast.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.function.Consumer;

/** The signals that the process receives. A signal that is ignored, as under {@code nohup}, stays ignored. */
interface Signals {
    /** Directs signals to the listener, on a thread of its own, instead of ending the process. */
    void deliverTo(Consumer<SignalName> listener);

    /**
     * {@return those of this process} Java distinguishes signals by {@code sun.misc.Signal} only, of the module
     * {@code jdk.unsupported}. The compiler refuses it by a warning that cannot be suppressed, hence the reflection.
     *
     * @param console for a message if SIGQUIT cannot be received
     */
    static Signals ofProcess(Console console) {
        return listener -> {
            SignalBursts bursts = new SignalBursts(listener, System::nanoTime);
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                for (SignalName name : EnumSet.complementOf(EnumSet.of(SignalName.QUIT))) {
                    InvocationHandler deliver = (proxy, method, arguments) -> {
                        bursts.accept(name);
                        return null;
                    };
                    signal.getMethod("handle", signal, handler)
                            .invoke(
                                    null,
                                    signal.getConstructor(String.class).newInstance(name.name()),
                                    Proxy.newProxyInstance(
                                            Signals.class.getClassLoader(), new Class<?>[] {handler}, deliver));
                }
                ThreadDumps.watch(() -> bursts.accept(SignalName.QUIT), console);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this Java has no signals: the module jdk.unsupported is missing", e);
            }
        };
    }
}
