package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.worker.Worker;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** One run of the campaign, with all of its processes. Nothing that it starts outlives it. */
public final class CampaignRun {
    private final Options options;
    private final Consumer<String> out;
    private final Path directory;
    private final Series series;

    /** @param out receives the progress, as text for the user */
    public CampaignRun(Options options, Consumer<String> out) {
        this.options = options;
        this.out = out;
        this.directory = Directories.emptied(options.directory().resolve("seed-" + options.seed()));
        this.series = new Series(options, directory, out);
    }

    /**
     * Plays all rounds. Called once.
     *
     * @throws IllegalArgumentException if the report is to be published and the file has no place for it; no round was
     *     played then
     */
    public Ending run() throws InterruptedException {
        out.accept("seed " + options.seed() + ", on " + RedisBinary.byDefault());
        try (RedisServer resource = RedisServer.builder().start()) {
            Optional<Publication> publication =
                    options.publish().map(file -> Publication.in(file, resource.version(), options.only()));
            WorkersLog log = new WorkersLog(directory.resolve("workers.log"));
            try (Crew crew = Crew.start(Schedule.MOST_CLIENTS, () -> Worker.start(resource.uri(), log.file()))) {
                Game game = (plan, place, progress) -> {
                    resource.command("FLUSHALL");
                    return new RoundRun(plan, crew, log, place, progress).run();
                };
                return series.play(game, "Redis " + resource.version(), publication);
            }
        }
    }

    /** {@return the figures of the rounds so far} */
    Tally tally() {
        return series.tally();
    }
}
