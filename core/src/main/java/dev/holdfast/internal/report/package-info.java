/**
 * How a client reports to its users: events, counts, and the threads on which their callbacks run. What is reported is
 * decided where it happens. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.report;

import org.jspecify.annotations.NullMarked;
