package dev.holdfast.cli.check;

/** What the names of an address lead to. */
final class NameChecks {
    private static final int MOST_CACHED = 5;

    private NameChecks() {}

    static Finding of(Lookup lookup) {
        int addresses = lookup.addresses().size();
        if (addresses == 0) {
            return Finding.ok(Check.NAMES, lookup.host() + " is an address");
        }
        String figure = lookup.host() + " leads to " + String.join(" and ", lookup.addresses())
                + (lookup.seconds().isEmpty()
                        ? ""
                        : ", cached for " + lookup.seconds().getAsLong() + " s");
        if (isAmbiguous(lookup)) {
            return Finding.warning(Check.NAMES, figure, "a name of the master alone");
        }
        return lookup.seconds().orElse(0) > MOST_CACHED
                ? Finding.note(
                        Check.NAMES,
                        figure,
                        "a lifetime of the DNS record of 5 s, if the name leads elsewhere after a failover")
                : Finding.ok(Check.NAMES, figure);
    }

    /** One machine may well have an address of each family. */
    private static boolean isAmbiguous(Lookup lookup) {
        long six = lookup.addresses().stream()
                .filter(address -> address.contains(":"))
                .count();
        return six > 1 || lookup.addresses().size() - six > 1;
    }
}
