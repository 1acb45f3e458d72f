package dev.holdfast.benchmarks.measure;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The figures of one measurement. A metric that does not apply, or was not observed, is absent. */
public final class Figures {
    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);
    private String remark = "";

    /** Records a figure; a value that is not finite is left out. */
    public Figures put(Metric metric, double value) {
        if (Double.isFinite(value)) {
            values.put(metric, value);
        }
        return this;
    }

    /** Records a count. */
    public Figures put(Metric metric, long count) {
        return put(metric, (double) count);
    }

    /** Records a remark on the figures. */
    public void remark(String text) {
        remark = text;
    }

    /** {@return the remark on the figures, if there is one} */
    public Optional<String> remark() {
        return remark.isEmpty() ? Optional.empty() : Optional.of(remark);
    }

    /** {@return the figure, if there is one} */
    public OptionalDouble get(Metric metric) {
        Double value = values.get(metric);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** {@return the figures of these metrics, without the remark} */
    public Figures only(Metric... metrics) {
        Figures some = new Figures();
        for (Metric metric : metrics) {
            get(metric).ifPresent(value -> some.put(metric, value));
        }
        return some;
    }

    /** {@return all figures, in the order of the metrics} */
    public Map<Metric, Double> all() {
        return Collections.unmodifiableMap(values);
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
