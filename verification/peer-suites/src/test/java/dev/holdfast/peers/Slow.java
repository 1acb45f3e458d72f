package dev.holdfast.peers;

/** The category of JUnit 4 tests that take long, which JUnit's later versions read as a tag of this class's name. */
interface Slow {}
