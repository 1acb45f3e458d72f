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
        String figure = lookup.host() + " leads to " + String.join(" and ", lookup.addresses()) + ", cached for "
                + (lookup.cacheSeconds() < 0 ? "ever" : lookup.cacheSeconds() + " s") + " by this Java";
        if (isAmbiguous(lookup)) {
            return Finding.warning(Check.NAMES, figure, "a name of the master alone");
        }
        return lookup.cacheSeconds() < 0 || lookup.cacheSeconds() > MOST_CACHED
                ? Finding.note(
                        Check.NAMES,
                        figure,
                        "networkaddress.cache.ttl=5 in conf/security/java.security of the application's Java, if the"
                                + " name leads elsewhere after a failover")
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
