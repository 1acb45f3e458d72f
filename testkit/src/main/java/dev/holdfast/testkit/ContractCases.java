package dev.holdfast.testkit;

/** A part of {@link LockContract}: cases about one property, and the stage on which they run. */
interface ContractCases {
    /** {@return the stage of the running test} */
    Stage stage();

    default LockClient first() {
        return stage().first();
    }

    default LockClient second() {
        return stage().second();
    }

    /** {@return a new thread of the first client} */
    default Actor here() {
        return stage().actor(first());
    }

    /** {@return a new thread of the second client} */
    default Actor there() {
        return stage().actor(second());
    }
}
