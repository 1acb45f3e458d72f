/** The faults: carried out on a server, on the processes of its clients, and on the network in between. */
@NullMarked
package dev.holdfast.campaign.nemesis;

import org.jspecify.annotations.NullMarked;
