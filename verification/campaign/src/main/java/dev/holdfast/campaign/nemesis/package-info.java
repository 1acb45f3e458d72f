/** The faults, which are injected into a server, the processes of its clients, and the network in between. */
@NullMarked
package dev.holdfast.campaign.nemesis;

import org.jspecify.annotations.NullMarked;
