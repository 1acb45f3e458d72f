package dev.holdfast.testkit;

/** A part of {@link LockContract}: some cases about one property, and the stage on which they take place. */
interface ContractCases {
    /** {@return the stage of the test that runs} */
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
