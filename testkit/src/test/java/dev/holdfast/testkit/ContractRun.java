package dev.holdfast.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs cases of a contract. */
final class ContractRun {
    private ContractRun() {}

    /** {@return those of the cases that fail} */
    static List<String> failed(Class<?> contract, List<String> cases) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(
                        cases.stream().map(name -> selectMethod(contract, name)).toArray(MethodSelector[]::new))
                .execute()
                .testEvents()
                .failed()
                .map(event -> event.getTestDescriptor().getDisplayName().replace("()", ""))
                .toList();
    }
}
