package dev.holdfast.cli.top;

/**
 * A key that was pressed.
 *
 * @param name which one
 * @param character of a {@link Name#CHARACTER}; 0 for all others
 */
record Key(Name name, int character) {
    /** The keys with a meaning of their own. */
    enum Name {
        CHARACTER,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        ENTER,
        ESCAPE,
        BACKSPACE,
        /** Ctrl-C. */
        INTERRUPT,
        /** One without a meaning. */
        OTHER
    }

    static Key of(Name name) {
        return new Key(name, 0);
    }

    static Key of(char character) {
        return new Key(Name.CHARACTER, character);
    }

    /**
     * {@return the key whose code this is} That of an arrow, for example, is an escape, a bracket or an {@code O}, and a letter.
     *
     * @param code as the terminal sends it, not empty
     */
    static Key decode(String code) {
        int first = code.codePointAt(0);
        if (first == '\u001b') {
            return of(code.length() == 1 ? Name.ESCAPE : ofSequence(code.substring(1)));
        }
        return switch (first) {
            case '\r', '\n' -> of(Name.ENTER);
            case '\b', 0x7f -> of(Name.BACKSPACE);
            case 0x03 -> of(Name.INTERRUPT);
            default -> Character.isISOControl(first) ? of(Name.OTHER) : new Key(Name.CHARACTER, first);
        };
    }

    private static Name ofSequence(String rest) {
        return switch (rest) {
            case "[A", "OA" -> Name.UP;
            case "[B", "OB" -> Name.DOWN;
            case "[5~" -> Name.PAGE_UP;
            case "[6~" -> Name.PAGE_DOWN;
            case "[H", "OH", "[1~", "[7~" -> Name.HOME;
            case "[F", "OF", "[4~", "[8~" -> Name.END;
            default -> Name.OTHER;
        };
    }

    /** {@return whether the code of a key is complete, so that nothing more belongs to it} */
    static boolean isComplete(String code) {
        if (!code.startsWith("\u001b")) {
            return true;
        }
        char last = code.charAt(code.length() - 1);
        return code.length() > 2 && (Character.isLetter(last) || last == '~');
    }
}
