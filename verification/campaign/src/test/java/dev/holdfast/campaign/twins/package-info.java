/**
 * Locks with one defect each, and one without, used in the same way on a real Redis: their operations are recorded in
 * journals, by which the checkers must distinguish them.
 */
@NullMarked
package dev.holdfast.campaign.twins;

import org.jspecify.annotations.NullMarked;
