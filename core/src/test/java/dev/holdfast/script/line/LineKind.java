package dev.holdfast.script.line;

/** The kinds of lock whose releases grant to a line. */
enum LineKind {
    PLAIN,
    FENCED,
    /** Each owner has a place of its own. */
    FAIR;

    /** {@return whose place it is: the client's, or the owner's} */
    String unit(String owner) {
        return this == FAIR ? owner : LineCommand.clientOf(owner);
    }
}
