/**
 * A sale under load: {@link dev.holdfast.examples.service.demo.ServiceDemo} starts PostgreSQL, Redis, a bank and several
 * instances of the shop as processes, plays the customers, kills one instance and stops another in the middle of a
 * sale, and then checks in the database that nothing was sold twice.
 */
@NullMarked
package dev.holdfast.examples.service.demo;

import org.jspecify.annotations.NullMarked;
